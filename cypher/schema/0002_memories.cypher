// name: 0002_memories
// mode: schema
// why: lookups, filters and pages of memories; a composite range index serves a query only if each of its properties has a predicate, so workspace_id stands alone as well; callers choose ids, so each workspace has its own: a store of release 0.1 had one name for all; keys are those of a user and an agent, as what each may see is
CYPHER 25
CREATE CONSTRAINT memory_of_workspace_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT memory_id_unique IF EXISTS
;
CYPHER 25
CREATE CONSTRAINT memory_key_of_owner_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.workspace_id, n.user_id, n.agent_id, n.key) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT memory_key_of_user_unique IF EXISTS
;
CYPHER 25
DROP CONSTRAINT memory_key_unique IF EXISTS
;
CYPHER 25
CREATE INDEX memory_user IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX memory_workspace IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX memory_created IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX memory_content_hash IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.content_hash)
;
CYPHER 25
CREATE INDEX memory_turn IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.turn_scope, n.position)
;
CYPHER 25
CREATE INDEX memory_conversation IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.source_conversation_id)
;
CYPHER 25
CREATE INDEX memory_version_memory IF NOT EXISTS FOR (n:MemoryVersion) ON (n.workspace_id, n.memory_id)
;
CYPHER 25
CREATE CONSTRAINT conversation_id_unique IF NOT EXISTS FOR (n:Conversation) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS FOR (n:Memory) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_cjk IF NOT EXISTS FOR (n:Memory) ON EACH [n.search_text_cjk, n.search_window, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE INDEX memory_version_workspace IF NOT EXISTS FOR (n:MemoryVersion) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX passage_workspace IF NOT EXISTS FOR (n:Passage) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX conversation_workspace IF NOT EXISTS FOR (n:Conversation) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX message_workspace IF NOT EXISTS FOR (n:Message) ON (n.workspace_id)
