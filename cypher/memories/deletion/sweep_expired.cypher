// name: sweep_expired
// mode: write
// returns: one
// unscoped: the sweeper serves every workspace; it only takes out of sight what no query shows any more
// param: now datetime
// param: limit integer
// param: mirrors boolean — whether the external vector tier is to drop them too
// column: swept integer — below the limit when nothing is left
// why: every query leaves expired memories out by their time; this keeps them from filling the vector index's lists
CYPHER 25
MATCH (memory:Memory)
WHERE memory.active = true AND memory.expires_at <= $now
WITH memory LIMIT $limit
// include: lock of memory
WITH memory
WHERE memory.active AND memory.expires_at <= $now
SET memory.active = false, memory.dedup_key = null
WITH memory
CALL (memory) {
  MATCH (memory)<-[:PART_OF]-(passage:Passage)
  SET passage.active = false
}
CALL (memory) {
  WITH memory
  WHERE $mirrors
  MERGE (job:Job {workspace_id: memory.workspace_id, kind: 'MIRROR', subject_id: memory.id})
    ON CREATE SET job.due_at = $now,
                  // include: new_job
    ON MATCH SET job.revision = job.revision + 1
}
RETURN count(*) AS swept
