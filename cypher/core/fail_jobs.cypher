// name: fail_jobs
// mode: write
// returns: many
// unscoped: workers serve all workspaces
// param: jobs list<map> — {id, revision as claimed, error, retry_at (null parks the job), waits: of its attempts}
// param: now datetime
// column: change map — as it is now
// why: a parked job has no due_at, so no worker finds it before retry_job sets one; a job requested again during its
//   run has a higher revision and keeps its due time; a job deleted while this query waited for its lock has no
//   revision and is skipped
CYPHER 25
UNWIND $jobs AS row
MATCH (job:Job {id: row.id})
SET job.locked_by = null
WITH job, row, job.revision = row.revision AS is_same
WHERE is_same IS NOT NULL
SET job.error = row.error, job.updated_at = $now, job.waits = CASE WHEN is_same THEN row.waits END,
    job.due_at = CASE WHEN is_same THEN row.retry_at ELSE coalesce(job.again_at, $now) END, job.again_at = null,
    job.state = CASE WHEN is_same AND row.retry_at IS NULL THEN 'FAILED' ELSE 'PENDING' END
RETURN job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .created_at, .updated_at, .due_at} AS change
