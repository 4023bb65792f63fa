// name: get_chunks
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: chunk map
CYPHER 25
UNWIND $ids AS id
MATCH (chunk:Chunk {workspace_id: $workspace_id, id: id})
USING INDEX chunk:Chunk(workspace_id, id)
RETURN chunk {
  // include: chunk_fields
} AS chunk
