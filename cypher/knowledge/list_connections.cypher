// name: list_connections
// mode: read
// returns: many
// param: workspace_id string
// param: after_id string — page start: the last row's id; empty: the first page
// param: limit integer
// column: connection map
CYPHER 25
MATCH (connection:Connection {workspace_id: $workspace_id})
WHERE connection.id > $after_id
WITH connection
ORDER BY connection.workspace_id, connection.id
LIMIT $limit
RETURN connection {.id, .workspace_id, .name, .kind, .uri, .created_at, .updated_at} AS connection
