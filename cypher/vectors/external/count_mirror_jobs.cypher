// name: count_mirror_jobs
// mode: read
// returns: one
// unscoped: counts several workspaces in one query: those that the caller may see, and the deployment's own
// param: workspace_ids list<string>
// column: pending integer
CYPHER 25
UNWIND $workspace_ids AS workspace_id
MATCH (job:Job {workspace_id: workspace_id})
WHERE job.kind IN ['MIRROR', 'MIRROR_ALL', 'UNMIRROR']
RETURN count(job) AS pending
