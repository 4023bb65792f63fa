// name: list_api_keys
// mode: read
// returns: many
// param: workspace_id string
// column: key map
CYPHER 25
MATCH (key:ApiKey {workspace_id: $workspace_id})
WHERE key.revoked_at IS NULL
RETURN key {
    .id, .workspace_id, .name, .prefix, .scopes, .user_id, .agent_id, .created_at, .expires_at, .last_used_at, .rotated_at,
    .requests_per_minute
  } AS key
ORDER BY key.created_at
