// name: delete_mirror_jobs
// mode: write
// returns: one
// unscoped: disabling the external tier affects all workspaces
// param: limit integer
// column: deleted integer — below the limit if none is left
// why: these jobs are never parked, so all have a time; nobody runs them any more, and a store that is switched on
//   again is filled from the start
CYPHER 25
MATCH (job:Job)
WHERE job.kind IN ['MIRROR', 'MIRROR_ALL', 'UNMIRROR'] AND job.due_at IS NOT NULL
WITH job LIMIT $limit
DETACH DELETE job
RETURN count(*) AS deleted
