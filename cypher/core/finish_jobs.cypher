// name: finish_jobs
// mode: write
// returns: many
// unscoped: workers serve all workspaces
// param: jobs list<map> — {id, revision} as claimed
// param: now datetime
// column: change map — DONE, or PENDING if it was requested again
// why: a job requested again during its run has a higher revision and runs once more when it is due; a job deleted
//   while this query waited for its lock has no revision and is skipped
CYPHER 25
UNWIND $jobs AS row
MATCH (job:Job {id: row.id})
SET job.locked_by = null
WITH job, job.revision = row.revision AS is_done
WHERE is_done IS NOT NULL
FOREACH (_ IN CASE WHEN is_done THEN [] ELSE [1] END |
  SET job.state = 'PENDING', job.due_at = coalesce(job.again_at, $now), job.again_at = null, job.attempts = 0,
      job.waits = null, job.updated_at = $now)
WITH job, is_done,
     job {.id, .workspace_id, .kind, .subject_id, state: CASE WHEN is_done THEN 'DONE' ELSE job.state END, .attempts,
          .created_at, updated_at: $now, due_at: CASE WHEN is_done THEN null ELSE job.due_at END} AS change
FOREACH (_ IN CASE WHEN is_done THEN [1] ELSE [] END | DETACH DELETE job)
RETURN change
