// name: store_settings
// mode: write
// returns: none
// param: workspace_id string — 'deployment' for what holds for all of them
// param: rows list<map> — {key, value: JSON}; null resets the setting to its default
// param: now datetime
CYPHER 25
UNWIND $rows AS row
MERGE (setting:Setting {workspace_id: $workspace_id, key: row.key})
SET setting.value = row.value, setting.updated_at = $now
WITH setting
WHERE setting.value IS NULL
DELETE setting
