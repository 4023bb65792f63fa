// name: 0003_jobs
// mode: schema
// why: one job for each kind and subject, found by when it falls due
CYPHER 25
CREATE CONSTRAINT job_id_unique IF NOT EXISTS FOR (n:Job) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT job_subject_unique IF NOT EXISTS FOR (n:Job) REQUIRE (n.workspace_id, n.kind, n.subject_id) IS UNIQUE
;
CYPHER 25
CREATE INDEX job_due IF NOT EXISTS FOR (n:Job) ON (n.kind, n.due_at)
;
CYPHER 25
CREATE INDEX job_workspace IF NOT EXISTS FOR (n:Job) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX job_subject IF NOT EXISTS FOR (n:Job) ON (n.workspace_id, n.subject_id)
