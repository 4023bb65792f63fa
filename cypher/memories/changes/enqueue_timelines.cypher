// name: enqueue_timelines
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string> — memories that were changed or will be deleted
// param: now datetime
// why: queues the update of each slot of these memories in the transaction of the change
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
