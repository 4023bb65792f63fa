// name: enqueue_jobs
// mode: write
// returns: none
// param: workspace_id string
// param: kind string
// param: subject_ids list<string>
// param: now datetime
// param: due_at datetime — the earliest time a worker may take the jobs
// why: there is one job per kind and subject; a request while it runs raises its revision, so that it runs once more
//   when it is due; a job that ended while this query waited for its lock is created again
CYPHER 25
UNWIND $subject_ids AS subject_id
MERGE (job:Job {workspace_id: $workspace_id, kind: $kind, subject_id: subject_id})
  ON CREATE SET job.due_at = $due_at,
                // include: new_job
  ON MATCH SET job.revision = job.revision + 1, job.updated_at = $now, job.attempts = 0, job.waits = null,
               job.again_at = CASE job.state WHEN 'RUNNING' THEN $due_at END,
               job.due_at = CASE job.state WHEN 'RUNNING' THEN job.due_at ELSE $due_at END,
               job.state = CASE job.state WHEN 'RUNNING' THEN 'RUNNING' ELSE 'PENDING' END
WITH subject_id, job['revision'] IS NULL AS has_gone
WHERE has_gone
MERGE (job:Job {workspace_id: $workspace_id, kind: $kind, subject_id: subject_id})
  ON CREATE SET job.due_at = $due_at,
                // include: new_job
