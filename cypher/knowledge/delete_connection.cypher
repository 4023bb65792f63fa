// name: delete_connection
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: runs last, so that an interrupted removal can be continued
CYPHER 25
MATCH (connection:Connection {workspace_id: $workspace_id, id: $id})
DETACH DELETE connection
RETURN $id AS id
