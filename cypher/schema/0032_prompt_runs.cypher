// name: 0032_prompt_runs
// mode: schema
// why: the audit of answers by id, by workspace and by age
CYPHER 25
CREATE CONSTRAINT prompt_run_id_unique IF NOT EXISTS FOR (n:PromptRun) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE INDEX prompt_run_workspace IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX prompt_run_created IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id, n.created_at)
