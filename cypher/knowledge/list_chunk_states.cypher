// name: list_chunk_states
// mode: read
// returns: many
// param: workspace_id string
// param: key string — of the document
// column: chunk map — see graph.knowledge.documents.models.StoredChunk
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, key: $key})
MATCH (document)<-[:PART_OF]-(chunk:Chunk {workspace_id: $workspace_id})
RETURN
  chunk {
    .id, .revision, .content_hash, .ordinal, .headings, .excerpt, .page, .char_start, .char_end, .search_keys,
    stores_text: chunk.text IS NOT NULL,
    is_whole: coalesce(
      chunk.embedded_revision = chunk.revision
        AND (chunk.text IS NOT NULL OR chunk.embedded_whole_by = chunk.embedding_signature),
      false),
    signature: chunk.embedding_signature
  } AS chunk
