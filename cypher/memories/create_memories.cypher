// name: create_memories
// mode: write
// returns: one
// param: workspace_id string
// param: memories list<map> — {id, tick (place in the batch: microseconds after now), properties, embedding (list<float>
//   or null), original (text before it was shortened, or null)}
// param: vector_property string — property for vectors of the active embedder
// param: signature string? — embedder of the given vectors
// param: now datetime
// column: keeps_vectors boolean — false if another embedder became active: no vector is stored, jobs embed the rows
// column: created integer
// why: one transaction creates a memory and its embedding and linking jobs, so no acknowledged memory stays without
//   vector or links
CYPHER 25
OPTIONAL MATCH (meta:VectorIndexMeta {name: 'memory'})
WITH coalesce(meta.active_signature = $signature AND meta.building_slot IS NULL, false) AS keeps_vectors
UNWIND $memories AS row
CREATE (memory:Memory:Searchable {workspace_id: $workspace_id, id: row.id})
WITH memory, row, keeps_vectors, $now + duration({microseconds: row.tick}) AS created_at
SET memory.created_at = created_at, memory.updated_at = created_at, memory.timestamp = created_at
SET memory += row.properties
// include: language_label
WITH memory, row, keeps_vectors
CALL (memory, row, keeps_vectors) {
  WITH memory, row, keeps_vectors
  WHERE row.embedding IS NOT NULL AND keeps_vectors
  CALL db.create.setNodeVectorProperty(memory, $vector_property, row.embedding)
  SET memory.embedded_revision = memory.revision, memory.embedding_signature = $signature
}
CALL (memory, row) {
  WITH memory, row
  WHERE row.original IS NOT NULL
  CREATE (memory)-[:PREVIOUS]->(:MemoryVersion {
    workspace_id: $workspace_id, memory_id: row.id, version: memory.version - 1, content: row.original,
    created_at: $now
  })
}
CALL (memory, row, keeps_vectors) {
  WITH memory, row, keeps_vectors
  WHERE row.embedding IS NULL OR NOT keeps_vectors
  SET memory.state = 'STORED'
  CREATE (job:Job {workspace_id: $workspace_id, kind: 'EMBED', subject_id: row.id})
  SET job.due_at = $now,
      // include: new_job
}
CALL (row) {
  CREATE (job:Job {workspace_id: $workspace_id, kind: 'LINK', subject_id: row.id})
  SET job.due_at = $now,
      // include: new_job
}
RETURN keeps_vectors, count(memory) AS created
