// name: retry_job
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: now datetime
// column: job map
CYPHER 25
MATCH (job:Job {workspace_id: $workspace_id, id: $id})
SET job.state = CASE job.state WHEN 'RUNNING' THEN 'RUNNING' ELSE 'PENDING' END,
    job.due_at = CASE job.state WHEN 'RUNNING' THEN job.due_at ELSE $now END,
    job.attempts = 0, job.updated_at = $now
RETURN job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
