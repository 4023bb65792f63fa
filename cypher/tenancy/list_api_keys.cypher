// name: list_api_keys
// mode: read
// returns: many
// param: workspace_id string
// column: key map
CYPHER 25
MATCH (key:ApiKey {workspace_id: $workspace_id})
WHERE key.revoked_at IS NULL
RETURN key {
  // include: api_key_fields
} AS key
ORDER BY key.created_at
