// name: retrieval
// mode: schema
// why: answers by id, user and age; nodes beside memories share a full-text index, filtered by workspace and kind
//   within it
CYPHER 25
CREATE CONSTRAINT prompt_run_of_workspace_unique IF NOT EXISTS FOR (n:PromptRun) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX prompt_run_workspace IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX prompt_run_created IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX prompt_run_user IF NOT EXISTS FOR (n:PromptRun) ON (n.workspace_id, n.user_id)
;
CYPHER 25
// Sequences consist of identifiers, and with them the second index would equal the first for the server.
CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS FOR (n:Entity|Chunk|Artifact|Episode|AgentSequence) ON EACH [n.search_text, n.search_keys, n.workspace_id, n.search_kind, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX knowledge_text_cjk IF NOT EXISTS FOR (n:Entity|Chunk|Artifact|Episode) ON EACH [n.search_text, n.search_keys, n.workspace_id, n.search_kind, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: false}}
