// name: lock_workspace
// mode: write
// returns: optional
// param: workspace_id string
// column: workspace map — as it is stored once the lock is held
// why: its settings are one property, so two changes of them go one after the other; the second reads what the first wrote
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
RETURN workspace {
  // include: workspace_fields
} AS workspace
