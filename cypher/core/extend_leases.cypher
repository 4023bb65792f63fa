// name: extend_leases
// mode: write
// returns: none
// unscoped: workers serve all workspaces
// param: jobs list<map> — {id, attempts as claimed}
// param: worker string — worker that claimed them
// param: lease_until datetime
// why: skips jobs that ended or that another worker took over
CYPHER 25
UNWIND $jobs AS row
MATCH (job:Job {id: row.id})
SET job.locked_by = null
WITH job, row
WHERE job.state = 'RUNNING' AND job.claimed_by = $worker AND job.attempts IN [row.attempts, 0]
SET job.due_at = $lease_until
