// name: lock_workspace
// mode: write
// returns: optional
// param: workspace_id string
// column: workspace map — as it is stored once the lock is held
// why: the settings are one property, so concurrent changes must wait for each other and read the latest value
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
RETURN workspace {
  // include: workspace_fields
} AS workspace
