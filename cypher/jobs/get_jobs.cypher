// name: get_jobs
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: job map
CYPHER 25
UNWIND $ids AS id
MATCH (job:Job {workspace_id: $workspace_id, id: id})
RETURN job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
