// name: rotate_api_key
// mode: write
// returns: optional
// unscoped: administrators rotate keys of all workspaces by id
// param: id string
// param: hash string — SHA-256 of the new secret
// param: prefix string
// param: now datetime
// param: grace_until datetime — time until which the previous secret is also valid
// column: key map
// why: only the latest replaced secret stays valid, so that a second rotation ends the grace period of the first
CYPHER 25
MATCH (key:ApiKey {id: $id})
WHERE key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > $now)
SET key.previous_hash = key.hash
SET key.previous_until = $grace_until, key.hash = $hash, key.prefix = $prefix, key.rotated_at = $now
RETURN key {
  // include: api_key_fields
} AS key
