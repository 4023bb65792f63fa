// name: create_memories
// mode: write
// returns: none
// param: workspace_id string
// param: memories list<map> — {id, properties, embedding (list<float> or null)}
// param: vector_property string — where vectors of the active embedder are kept
// param: now datetime
// why: a memory and the job that embeds it are one transaction, so nothing acknowledged is left without its vector
CYPHER 25
UNWIND $memories AS row
CREATE (memory:Memory {workspace_id: $workspace_id, id: row.id})
SET memory += row.properties
WITH memory, row
CALL (memory, row) {
  WITH memory, row
  WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(memory, $vector_property, row.embedding)
  SET memory.embedded_revision = memory.revision
}
CALL (memory, row) {
  WITH memory, row
  WHERE row.embedding IS NULL
  CREATE (job:Job {workspace_id: $workspace_id, kind: 'EMBED', subject_id: row.id})
  SET job.id = 'job_' + randomUUID(), job.state = 'PENDING', job.revision = 1, job.attempts = 0,
      job.created_at = $now, job.updated_at = $now, job.due_at = $now
}
