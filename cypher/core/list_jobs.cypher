// name: list_jobs
// mode: read
// returns: many
// param: workspace_id string
// param: state string?
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: job map
// why: reads the index on (workspace_id, created_at), newest first; skips a job that ends during the read, because it
//   no longer has properties
CYPHER 25
MATCH (found:Job {workspace_id: $workspace_id})
WHERE found.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR found.created_at < $after_created OR found.id < $after_id)
  AND ($state IS NULL OR found.state = $state)
WITH found, found {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
WHERE job.id IS NOT NULL AND job.updated_at IS NOT NULL
RETURN job
ORDER BY found.workspace_id DESC, found.created_at DESC, found.id DESC
LIMIT $limit
