// name: get_jobs
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: job map
// why: skips a job that ends during the read, because it no longer has properties
CYPHER 25
UNWIND $ids AS id
MATCH (job:Job {workspace_id: $workspace_id, id: id})
USING INDEX job:Job(id)
WITH job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
WHERE job.id IS NOT NULL AND job.updated_at IS NOT NULL
RETURN job
