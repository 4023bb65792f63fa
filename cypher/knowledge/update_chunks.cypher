// name: update_chunks
// mode: write
// returns: none
// param: workspace_id string
// param: updates list<map> — {id, properties}
CYPHER 25
UNWIND $updates AS row
MATCH (chunk:Chunk {workspace_id: $workspace_id, id: row.id})
USING INDEX chunk:Chunk(workspace_id, id)
SET chunk += row.properties
