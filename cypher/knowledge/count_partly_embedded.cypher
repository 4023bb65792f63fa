// name: count_partly_embedded
// mode: read
// returns: many
// param: workspace_id string
// param: document_ids list<string>
// column: document_id string
// column: chunks integer — chunks whose vector covers only part of their text
CYPHER 25
UNWIND $document_ids AS document_id
MATCH (document:Document {workspace_id: $workspace_id, id: document_id})
USING INDEX document:Document(workspace_id, id)
RETURN
  document_id,
  COUNT {
    MATCH (document)<-[:PART_OF]-(chunk:Chunk {workspace_id: $workspace_id})
    WHERE chunk.text IS NULL AND coalesce(chunk.embedded_whole_by <> chunk.embedding_signature, true)
  } AS chunks
