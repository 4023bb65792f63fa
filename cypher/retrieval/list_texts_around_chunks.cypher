// name: list_texts_around_chunks
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string> — ids of chunks
// param: reach integer — maximum number of chunks before and after each
// column: id string
// column: headings list<string>
// column: texts list<string> — texts of the chunk and of those around it under the same headings, in order
// why: a long section consists of several chunks; chunks that store only an excerpt are omitted
CYPHER 25
UNWIND $ids AS id
MATCH (chunk:Chunk {workspace_id: $workspace_id, id: id})
USING INDEX chunk:Chunk(workspace_id, id)
WHERE chunk.text IS NOT NULL
CALL (chunk) {
  MATCH (near:Chunk {workspace_id: $workspace_id, document_id: chunk.document_id})
  WHERE chunk.ordinal - $reach <= near.ordinal <= chunk.ordinal + $reach
    AND near.headings = chunk.headings AND near.text IS NOT NULL
  WITH near ORDER BY near.ordinal
  RETURN collect(near.text) AS texts
}
RETURN chunk.id AS id, chunk.headings AS headings, texts
