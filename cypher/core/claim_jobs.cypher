// name: claim_jobs
// mode: write
// returns: many
// unscoped: workers serve all workspaces; each row names its workspace
// param: kind string
// param: now datetime
// param: lease_until datetime — end of the lease: after it, other workers may take the job
// param: worker string
// param: limit integer
// column: id string
// column: workspace_id string
// column: subject_id string
// column: revision integer
// column: attempts integer — includes this attempt
// column: waits integer — earlier attempts that waited for another server; they do not count as failures
// column: created_at datetime
// why: locks each job by writing the worker's name, and reads due_at again under the lock, so that no job is claimed
//   twice; keeps the order of the index, because another order would read a long backlog to its end
CYPHER 25
MATCH (job:Job {kind: $kind})
WHERE job.due_at <= $now
WITH job
ORDER BY job.kind, job.due_at
LIMIT $limit
SET job.locked_by = $worker
WITH job
WHERE job.due_at <= $now
SET job.state = 'RUNNING', job.due_at = $lease_until, job.claimed_by = $worker, job.attempts = job.attempts + 1,
    job.updated_at = $now
RETURN job.id AS id, job.workspace_id AS workspace_id, job.subject_id AS subject_id, job.revision AS revision,
       job.attempts AS attempts, coalesce(job.waits, 0) AS waits, job.created_at AS created_at
