// name: upsert_connection
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: properties map — what to change
// param: now datetime
// column: connection map
// why: locks the workspace so that it cannot disappear; returns no row if it does not exist
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
MERGE (connection:Connection {workspace_id: $workspace_id, id: $id})
  ON CREATE SET connection.name = $id, connection.created_at = $now
SET connection += $properties, connection.updated_at = $now
RETURN connection {.id, .workspace_id, .name, .kind, .uri, .created_at, .updated_at} AS connection
