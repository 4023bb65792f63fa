// name: find_connection
// mode: read
// returns: optional
// param: workspace_id string
// param: id string
// column: connection map
CYPHER 25
MATCH (connection:Connection {workspace_id: $workspace_id, id: $id})
RETURN connection {.id, .workspace_id, .name, .kind, .uri, .created_at, .updated_at} AS connection
