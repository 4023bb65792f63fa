// name: find_job
// mode: read
// returns: optional
// param: workspace_id string
// param: kind string
// param: subject_id string
// column: job map
CYPHER 25
MATCH (job:Job {workspace_id: $workspace_id, kind: $kind, subject_id: $subject_id})
RETURN job {.id, .workspace_id, .kind, .subject_id, .state, .attempts, .error, .created_at, .updated_at, .due_at} AS job
