// name: clear_vectors
// mode: write
// returns: one
// unscoped: one vector index serves every workspace
// param: vector_property string — of the slot that is emptied
// param: active_property string — of the slot in use
// param: after_id string
// param: limit integer — memories looked at in this transaction
// param: now datetime
// column: last_id string? — null when there are no more
// why: what would be left without any vector, because it was written by a process that had not heard of the switch,
//   is embedded once more
CYPHER 25
CALL () {
  MATCH (memory:Memory)
  WHERE memory.id > $after_id
  RETURN memory
  ORDER BY memory.id
  LIMIT $limit
}
WITH memory, memory[$vector_property] IS NOT NULL AND memory[$active_property] IS NULL AS is_lost
CALL (memory, is_lost) {
  WITH memory, is_lost
  WHERE is_lost
  MERGE (job:Job {workspace_id: memory.workspace_id, kind: 'EMBED', subject_id: memory.id})
    ON CREATE SET job.id = 'job_' + randomUUID(), job.state = 'PENDING', job.revision = 1, job.attempts = 0,
                  job.created_at = $now, job.updated_at = $now, job.due_at = $now
}
REMOVE memory[$vector_property]
RETURN max(memory.id) AS last_id
