// name: delete_documents_of_connection
// mode: write
// returns: one
// param: workspace_id string
// param: connection_id string
// param: limit integer — maximum documents removed in one transaction, with their chunks and jobs
// column: deleted integer — below the limit if none is left
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, connection_id: $connection_id})
WITH document LIMIT $limit
CALL (document) {
  MATCH (document)<-[:PART_OF]-(chunk:Chunk {workspace_id: $workspace_id})
  OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, subject_id: chunk.id})
  DETACH DELETE job, chunk
}
DETACH DELETE document
RETURN count(*) AS deleted
