// name: list_settings
// mode: read
// returns: many
// param: workspace_id string — 'deployment' for what holds for all of them
// column: key string
// column: value string — JSON
CYPHER 25
MATCH (setting:Setting {workspace_id: $workspace_id})
RETURN setting.key AS key, setting.value AS value
ORDER BY key
