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
  ORDER BY chunk.ordinal
  LIMIT $limit
}
RETURN chunk {
    .id, .workspace_id, .document_id, .ordinal, .headings, .excerpt, .text, .content_hash, .page, .char_start, .char_end,
    .state, .failure, .created_at, .updated_at,
    embedded_from: CASE
      WHEN chunk.embedding_signature IS NULL THEN null
      WHEN chunk.text IS NOT NULL OR chunk.embedded_whole_by = chunk.embedding_signature THEN 'WHOLE'
      ELSE 'EXCERPT'
    END
  } AS chunk
