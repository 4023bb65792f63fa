// name: document_outline
// mode: read
// returns: many
// param: workspace_id string
// param: id string — a document
// column: part path
// column: place integer — of a chunk: its place in the text; -1 for the document and its source
// why: a document with its chunks in the order of the text, the connection it came from, and the artifacts of its address
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, id: $id})
CALL (document) {
  MATCH part = (document)
  RETURN part, -1 AS place
  UNION ALL
  MATCH part = (document)-[:FROM]->(:Connection {workspace_id: $workspace_id})
  RETURN part, -1 AS place
  UNION ALL
  MATCH part = (artifact:Artifact {workspace_id: $workspace_id})
  WHERE artifact.uri = document.uri
  RETURN part, -1 AS place
  LIMIT 25
  UNION ALL
  MATCH part = (document)<-[:PART_OF]-(chunk:Chunk {workspace_id: $workspace_id})
  RETURN part, chunk.ordinal AS place
  ORDER BY place
  LIMIT 200
}
RETURN part, place
ORDER BY place
