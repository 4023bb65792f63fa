// name: upsert_connection
// mode: write
// returns: one
// param: workspace_id string
// param: id string
// param: properties map — what to change
// param: now datetime
// column: connection map
CYPHER 25
MERGE (connection:Connection {workspace_id: $workspace_id, id: $id})
  ON CREATE SET connection.name = $id, connection.created_at = $now
SET connection += $properties, connection.updated_at = $now
RETURN connection {.id, .workspace_id, .name, .kind, .uri, .created_at, .updated_at} AS connection
