// name: link_chunks
// mode: write
// returns: none
// param: workspace_id string
// param: document_id string
// why: keeps the edge between two chunks that are still adjacent
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, id: $document_id})
MATCH (document)<-[:PART_OF]-(chunk:Chunk {workspace_id: $workspace_id})
WITH chunk
ORDER BY chunk.ordinal
WITH collect(chunk) AS chunks
CALL (chunks) {
  UNWIND chunks AS chunk
  MATCH (chunk)-[edge:NEXT]->(following:Chunk {workspace_id: $workspace_id})
  WHERE following.ordinal <> chunk.ordinal + 1
  DELETE edge
}
UNWIND range(0, size(chunks) - 2) AS place
WITH chunks[place] AS chunk, chunks[place + 1] AS following
MERGE (chunk)-[:NEXT]->(following)
