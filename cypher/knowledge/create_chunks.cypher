// name: create_chunks
// mode: write
// returns: none
// param: workspace_id string
// param: document_id string
// param: chunks list<map> — {id, properties}
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, id: $document_id})
USING INDEX document:Document(workspace_id, id)
UNWIND $chunks AS row
CREATE (chunk:Chunk:Searchable {workspace_id: $workspace_id, document_id: $document_id, id: row.id})
SET chunk += row.properties
CREATE (chunk)-[:PART_OF]->(document)
