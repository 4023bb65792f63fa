// name: count_jobs
// mode: read
// returns: many
// param: workspace_id string
// column: kind string
// column: state string
// column: count integer
CYPHER 25
MATCH (job:Job {workspace_id: $workspace_id})
RETURN job.kind AS kind, job.state AS state, count(job) AS count
