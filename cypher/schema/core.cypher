// name: core
// mode: schema
// why: jobs by subject and by due date, the audit by age, automatic changes by age, subject and owner, one value of
//   each setting
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
;
CYPHER 25
CREATE INDEX job_created IF NOT EXISTS FOR (n:Job) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE CONSTRAINT audit_entry_id_unique IF NOT EXISTS FOR (n:AuditEntry) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE INDEX audit_entry_at IF NOT EXISTS FOR (n:AuditEntry) ON (n.at)
;
CYPHER 25
CREATE CONSTRAINT setting_unique IF NOT EXISTS FOR (n:Setting) REQUIRE (n.workspace_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE INDEX setting_workspace IF NOT EXISTS FOR (n:Setting) ON (n.workspace_id)
;
CYPHER 25
CREATE CONSTRAINT automatic_change_unique IF NOT EXISTS FOR (n:AutomaticChange) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX automatic_change_workspace IF NOT EXISTS FOR (n:AutomaticChange) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX automatic_change_created IF NOT EXISTS FOR (n:AutomaticChange) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX automatic_change_age IF NOT EXISTS FOR (n:AutomaticChange) ON (n.created_at)
;
CYPHER 25
CREATE INDEX automatic_change_subject IF NOT EXISTS FOR (n:AutomaticChange) ON (n.workspace_id, n.subject_id)
;
CYPHER 25
CREATE INDEX automatic_change_cause IF NOT EXISTS FOR (n:AutomaticChange) ON (n.workspace_id, n.cause_id)
;
CYPHER 25
CREATE INDEX automatic_change_user IF NOT EXISTS FOR (n:AutomaticChange) ON (n.workspace_id, n.user_id)
