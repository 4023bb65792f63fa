// name: fail_jobs
// mode: write
// returns: none
// unscoped: workers serve every workspace
// param: jobs list<map> — {id, error, retry_at (null parks the job)}
// param: now datetime
// why: a parked job has no due_at, so no worker finds it until retry_job gives it one
CYPHER 25
UNWIND $jobs AS row
MATCH (job:Job {id: row.id})
SET job.error = row.error, job.updated_at = $now, job.due_at = row.retry_at,
    job.state = CASE WHEN row.retry_at IS NULL THEN 'FAILED' ELSE 'PENDING' END
