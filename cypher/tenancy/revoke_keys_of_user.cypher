// name: revoke_keys_of_user
// mode: write
// returns: many
// param: workspace_id string
// param: user_id string
// param: now datetime
// column: id string
CYPHER 25
MATCH (key:ApiKey {workspace_id: $workspace_id})
WHERE key.user_id = $user_id AND key.revoked_at IS NULL
SET key.revoked_at = $now
RETURN key.id AS id
