// name: 0095_jobs_by_age
// mode: schema
// why: a page of a workspace's jobs is read newest first, however many there are
CYPHER 25
CREATE INDEX job_created IF NOT EXISTS FOR (n:Job) ON (n.workspace_id, n.created_at)
