// name: update_memories
// mode: write
// returns: optional
// param: workspace_id string
// param: updates list<map> — {id, properties, previous_content (null when the text stays), embedding (or null)}
// param: vector_property string
// param: signature string? — embedder of the given vectors
// param: now datetime
// column: keeps_vectors boolean — false if another embedder became active: no vector is stored
// column: updated integer
// why: stores the previous text as a MemoryVersion, so that changes of the text can be undone; the memory keeps the slots of
//   both texts until a job has updated their timelines
CYPHER 25
OPTIONAL MATCH (meta:VectorIndexMeta {name: 'memory'})
WITH coalesce(meta.active_signature = $signature AND meta.building_slot IS NULL, false) AS keeps_vectors
UNWIND $updates AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
CALL (memory, row) {
  WITH memory, row
  WHERE row.previous_content IS NOT NULL
  OPTIONAL MATCH (memory)-[link:PREVIOUS]->(older:MemoryVersion {workspace_id: $workspace_id})
  CREATE (version:MemoryVersion {
    workspace_id: $workspace_id, memory_id: memory.id, version: memory.version, content: row.previous_content,
    created_at: $now
  })
  CREATE (memory)-[:PREVIOUS]->(version)
  FOREACH (_ IN CASE WHEN older IS NULL THEN [] ELSE [1] END |
    DELETE link
    CREATE (version)-[:PREVIOUS]->(older))
}
WITH memory, row, keeps_vectors, coalesce(memory.slot_keys, []) AS found_by
SET memory += row.properties
SET memory.slot_keys = coalesce(row.properties.slot_keys, []) + [key IN found_by WHERE NOT key IN coalesce(row.properties.slot_keys, [])]
// include: language_label
WITH memory, row, keeps_vectors
CALL (memory) {
  MATCH (memory)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
  WHERE passage.active <> memory.active OR coalesce(passage.user_id <> memory.user_id, true)
  SET passage.active = memory.active, passage.user_id = memory.user_id
}
CALL (memory, row, keeps_vectors) {
  WITH memory, row, keeps_vectors
  WHERE row.embedding IS NOT NULL AND keeps_vectors
  CALL db.create.setNodeVectorProperty(memory, $vector_property, row.embedding)
  SET memory.embedded_revision = memory.revision, memory.embedding_signature = $signature,
      memory.placeholder_vector = null
  WITH memory
  CALL (memory) {
    MATCH (memory)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
    DETACH DELETE passage
  }
  CALL (memory) {
    MATCH (job:Job {workspace_id: $workspace_id, kind: 'EMBED', subject_id: memory.id})
    DETACH DELETE job
  }
}
CALL (memory, row, keeps_vectors) {
  WITH memory, row, keeps_vectors
  WHERE row.embedding IS NOT NULL AND NOT keeps_vectors
  SET memory.state = 'STORED'
}
RETURN keeps_vectors, count(memory) AS updated
