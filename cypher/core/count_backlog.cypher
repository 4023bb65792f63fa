// name: count_backlog
// mode: read
// returns: many
// unscoped: an operator's view of the queue of the whole deployment; it tells nothing of any workspace
// column: kind string
// column: state string
// column: jobs integer
// column: oldest datetime — when the first of them was asked for
// allow: NodeByLabelScan — counts every job there is; asked for every few seconds at most
// why: skips a job that ends during the read, because it no longer has properties
CYPHER 25
MATCH (job:Job)
WITH job.kind AS kind, job.state AS state, job.created_at AS created_at
WHERE kind IS NOT NULL AND state IS NOT NULL AND created_at IS NOT NULL
RETURN kind, state, count(*) AS jobs, min(created_at) AS oldest
ORDER BY kind, state
