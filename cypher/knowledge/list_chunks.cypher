// name: list_chunks
// mode: read
// returns: many
// param: workspace_id string
// param: document_ids list<string>
// param: after_ordinal integer — -1 begins with the first chunk
// param: limit integer — of each document
// column: chunk map
CYPHER 25
UNWIND $document_ids AS document_id
CALL (document_id) {
  MATCH (chunk:Chunk {workspace_id: $workspace_id, document_id: document_id})
  WHERE chunk.ordinal > $after_ordinal
  RETURN chunk
  ORDER BY chunk.workspace_id, chunk.document_id, chunk.ordinal
  LIMIT $limit
}
RETURN chunk {
  // include: chunk_fields
} AS chunk
