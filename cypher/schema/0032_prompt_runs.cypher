// name: 0032_prompt_runs
// mode: schema
// why: the audit of answers by id, by workspace, by user and by age; ids are told apart within a workspace, so that one is restored from an archive beside the one it was made of
CYPHER 25
CREATE CONSTRAINT prompt_run_of_workspace_unique IF NOT EXISTS FOR (n:PromptRun) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT prompt_run_id_unique IF EXISTS
;
CYPHER 25
CREATE INDEX prompt_run_workspace IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX prompt_run_created IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX prompt_run_user IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id, n.user_id)
