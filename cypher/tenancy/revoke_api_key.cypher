// name: revoke_api_key
// mode: write
// returns: optional
// unscoped: administrators revoke keys of all workspaces by id
// param: id string
// param: now datetime
// column: id string
// column: workspace_id string
CYPHER 25
MATCH (key:ApiKey {id: $id})
WHERE key.revoked_at IS NULL
SET key.revoked_at = $now
RETURN key.id AS id, key.workspace_id AS workspace_id
