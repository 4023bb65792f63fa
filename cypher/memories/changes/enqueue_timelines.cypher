// name: enqueue_timelines
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string> — of memories that are changed, or about to go
// param: now datetime
// why: each slot that one of them speaks of is settled again by a job of the same transaction
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
UNWIND memory.slot_keys AS key
WITH DISTINCT key
ORDER BY key
MERGE (job:Job {workspace_id: $workspace_id, kind: 'TIMELINE', subject_id: key})
  ON CREATE SET job.due_at = $now,
                // include: new_job
  ON MATCH SET
               // include: job_again
WITH key, job['revision'] IS NULL AS has_gone
WHERE has_gone
MERGE (job:Job {workspace_id: $workspace_id, kind: 'TIMELINE', subject_id: key})
  ON CREATE SET job.due_at = $now,
                // include: new_job
