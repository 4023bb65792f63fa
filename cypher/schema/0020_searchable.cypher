// name: 0020_searchable
// mode: schema
// why: whatever is found by meaning bears the label Searchable beside its own, so that vectors are made, counted and replaced in one pass over one index; what is no memory shares a full-text index, cut to workspace and kind inside it; the one for CJK leaves sequences out, which are made of identifiers and would make it the same index to the server; ids are told apart within a workspace, and walks over all workspaces go along the index on id alone, which takes the place of the constraint of release 0.1
CYPHER 25
CREATE CONSTRAINT searchable_of_workspace_unique IF NOT EXISTS FOR (n:Searchable) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT searchable_id_unique IF EXISTS
;
CYPHER 25
CREATE INDEX searchable_id IF NOT EXISTS FOR (n:Searchable) ON (n.id)
;
CYPHER 25
CREATE INDEX searchable_workspace IF NOT EXISTS FOR (n:Searchable) ON (n.workspace_id)
;
CYPHER 25
CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS FOR (n:Entity|Chunk|Artifact|Episode|AgentSequence) ON EACH [n.search_text, n.search_keys, n.workspace_id, n.search_kind, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX knowledge_text_cjk IF NOT EXISTS FOR (n:Entity|Chunk|Artifact|Episode) ON EACH [n.search_text, n.search_keys, n.workspace_id, n.search_kind, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: false}}
