// name: list_jobs
// mode: read
// returns: many
// param: workspace_id string
// param: state string?
// param: after_created datetime?
// param: after_id string?
// param: limit integer
// column: job map
// why: a job that ends while it is read has lost its properties, and is left out
CYPHER 25
MATCH (job:Job {workspace_id: $workspace_id})
WHERE ($state IS NULL OR job.state = $state)
  AND ($after_created IS NULL OR job.created_at < $after_created
       OR (job.created_at = $after_created AND job.id < $after_id))
WITH job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
WHERE job.id IS NOT NULL AND job.updated_at IS NOT NULL
RETURN job
ORDER BY job.created_at DESC, job.id DESC
LIMIT $limit
