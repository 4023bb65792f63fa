// name: delete_document
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, id: $id})
CALL (document) {
  MATCH (document)<-[:PART_OF]-(chunk:Chunk {workspace_id: $workspace_id})
  OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, subject_id: chunk.id})
  DETACH DELETE job, chunk
}
WITH document, document.id AS id
DETACH DELETE document
RETURN id
