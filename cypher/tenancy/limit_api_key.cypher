// name: limit_api_key
// mode: write
// returns: optional
// unscoped: administrators limit keys of all workspaces by id
// param: id string
// param: requests_per_minute integer? — null: the deployment's default
// column: key map
CYPHER 25
MATCH (key:ApiKey {id: $id})
WHERE key.revoked_at IS NULL
SET key.requests_per_minute = $requests_per_minute
RETURN key {
  // include: api_key_fields
} AS key
