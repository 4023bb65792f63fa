// name: list_chunk_places
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string> — ids of chunks
// column: id string
// column: title string — title of the document
// column: uri string?
// column: page integer?
// column: char_start integer
// column: char_end integer
// column: is_excerpt boolean — whether only an excerpt of the chunk is stored
CYPHER 25
UNWIND $ids AS id
MATCH (chunk:Chunk {workspace_id: $workspace_id, id: id})
USING INDEX chunk:Chunk(workspace_id, id)
MATCH (document:Document {workspace_id: $workspace_id, id: chunk.document_id})
USING INDEX document:Document(workspace_id, id)
RETURN chunk.id AS id, document.title AS title, document.uri AS uri, chunk.page AS page,
       chunk.char_start AS char_start, chunk.char_end AS char_end, chunk.text IS NULL AS is_excerpt
