// name: revoke_api_key
// mode: write
// returns: optional
// unscoped: $workspace_id null is an administrator's; keys are found by their id
// param: id string
// param: workspace_id string?
// param: now datetime
// column: id string
CYPHER 25
MATCH (key:ApiKey {id: $id})
WHERE key.revoked_at IS NULL AND ($workspace_id IS NULL OR key.workspace_id = $workspace_id)
SET key.revoked_at = $now
RETURN key.id AS id
