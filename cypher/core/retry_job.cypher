// name: retry_job
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: now datetime
// column: job map
// why: skips a job that ended while this query waited for its lock, because it no longer has properties
CYPHER 25
MATCH (job:Job {workspace_id: $workspace_id, id: $id})
SET job.locked_by = null
WITH job
WHERE job.revision IS NOT NULL
SET job.state = CASE job.state WHEN 'RUNNING' THEN 'RUNNING' ELSE 'PENDING' END,
    job.due_at = CASE job.state WHEN 'RUNNING' THEN job.due_at ELSE $now END,
    job.attempts = 0, job.waits = null, job.updated_at = $now
RETURN job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
