// name: store_embeddings
// mode: write
// returns: none
// unscoped: one batch holds memories of several workspaces; each row is matched with its own
// param: rows list<map> — {workspace_id, id, revision, embedding, passages (list of {ordinal, text, embedding})}
// param: vector_property string
// param: signature string — the embedder the vectors came from
// why: a vector is kept only for the text it was made of; a text changed meanwhile has its own job
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
WHERE memory.revision = row.revision
CALL db.create.setNodeVectorProperty(memory, $vector_property, row.embedding)
SET memory.embedded_revision = row.revision, memory.embedding_signature = $signature, memory.failure = null,
    memory.state = CASE memory.state WHEN 'LINKED' THEN 'LINKED' ELSE 'EMBEDDED' END
WITH memory, row
CALL (memory, row) {
  OPTIONAL MATCH (memory)<-[:PART_OF]-(old:Passage {workspace_id: row.workspace_id})
  DETACH DELETE old
}
CALL (memory, row) {
  UNWIND row.passages AS part
  CREATE (passage:Passage {workspace_id: row.workspace_id, memory_id: row.id, ordinal: part.ordinal})
  SET passage.active = memory.active, passage.search_kind = 'passage'
  CREATE (passage)-[:PART_OF]->(memory)
  WITH passage, part
  CALL db.create.setNodeVectorProperty(passage, $vector_property, part.embedding)
}
