// name: count_backlog
// mode: read
// returns: many
// unscoped: counts the queue of the whole deployment, and reveals nothing about one workspace
// column: kind string
// column: state string
// column: jobs integer
// column: oldest datetime — creation time of the oldest of them
// allow: NodeByLabelScan — counts all jobs; runs every few seconds at most
// why: skips a job that ends during the read, because it no longer has properties
CYPHER 25
MATCH (job:Job)
WITH job.kind AS kind, job.state AS state, job.created_at AS created_at
WHERE kind IS NOT NULL AND state IS NOT NULL AND created_at IS NOT NULL
RETURN kind, state, count(*) AS jobs, min(created_at) AS oldest
ORDER BY kind, state
