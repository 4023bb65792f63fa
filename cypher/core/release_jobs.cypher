// name: release_jobs
// mode: write
// returns: many
// unscoped: workers serve all workspaces
// param: jobs list<map> — {id, attempts as claimed}
// param: worker string — worker that claimed them
// param: now datetime
// param: due_at datetime
// column: change map — as it is now
// why: an attempt that failed because of another server does not count; skips jobs that ended or that another worker
//   took over
CYPHER 25
UNWIND $jobs AS row
MATCH (job:Job {id: row.id})
SET job.locked_by = null
WITH job, row
WHERE job.state = 'RUNNING' AND job.claimed_by = $worker AND job.attempts IN [row.attempts, 0]
SET job.state = 'PENDING', job.due_at = coalesce(job.again_at, $due_at), job.again_at = null, job.updated_at = $now,
    job.attempts = CASE job.attempts WHEN 0 THEN 0 ELSE job.attempts - 1 END
RETURN job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .created_at, .updated_at, .due_at} AS change
