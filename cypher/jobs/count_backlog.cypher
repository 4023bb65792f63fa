// name: count_backlog
// mode: read
// returns: many
// unscoped: an operator's view of the queue of the whole deployment; it tells nothing of any workspace
// column: kind string
// column: state string
// column: jobs integer
// column: oldest datetime — when the first of them was asked for
// allow: NodeByLabelScan — counts every job there is; asked for every few seconds at most
CYPHER 25
MATCH (job:Job)
RETURN job.kind AS kind, job.state AS state, count(*) AS jobs, min(job.created_at) AS oldest
ORDER BY kind, state
