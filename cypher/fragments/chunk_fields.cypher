.id, .workspace_id, .document_id, .ordinal, .headings, .excerpt, .text, .content_hash, .page, .char_start, .char_end,
.state, .failure, .created_at, .updated_at,
embedded_from: CASE
  WHEN chunk.embedding_signature IS NULL THEN null
  WHEN chunk.text IS NOT NULL OR chunk.embedded_whole_by = chunk.embedding_signature THEN 'WHOLE'
  ELSE 'EXCERPT'
END
