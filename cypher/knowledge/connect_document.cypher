// name: connect_document
// mode: write
// returns: none
// param: workspace_id string
// param: id string
// param: connection_id string — created if no connection has that id
// param: now datetime
// why: a document has one connection at a time; deleting the connection deletes the document
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, id: $id})
CALL (document) {
  MATCH (document)-[edge:FROM]->(other:Connection {workspace_id: $workspace_id})
  WHERE other.id <> $connection_id
  DELETE edge
}
MERGE (connection:Connection {workspace_id: $workspace_id, id: $connection_id})
  ON CREATE SET connection.name = $connection_id, connection.created_at = $now, connection.updated_at = $now
MERGE (document)-[:FROM]->(connection)
