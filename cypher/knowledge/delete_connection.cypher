// name: delete_connection
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: goes last, so that a removal that was interrupted can be taken up again
CYPHER 25
MATCH (connection:Connection {workspace_id: $workspace_id, id: $id})
DETACH DELETE connection
RETURN $id AS id
