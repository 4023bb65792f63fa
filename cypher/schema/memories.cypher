// name: memories
// mode: schema
// why: lookups, filters and pages of memories; callers choose ids and keys, so uniqueness holds within a workspace; a
//   composite range index serves a query only if each of its properties has a predicate, so workspace_id has an index
//   of its own
CYPHER 25
// Keys are unique to a user and an agent.
CREATE CONSTRAINT memory_of_workspace_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT memory_key_of_owner_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.workspace_id, n.user_id, n.agent_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT memory_dedup_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.workspace_id, n.dedup_key) IS UNIQUE
;
CYPHER 25
CREATE INDEX memory_user IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX memory_user_slots IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.user_id, n.slot_keys)
;
CYPHER 25
CREATE INDEX memory_user_newest IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.user_id, n.timestamp)
;
CYPHER 25
CREATE INDEX memory_user_facet IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.user_id, n.facet, n.type)
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
CREATE INDEX memory_active IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.active)
;
CYPHER 25
CREATE INDEX memory_active_expiry IF NOT EXISTS FOR (n:Memory) ON (n.active, n.expires_at)
;
CYPHER 25
CREATE INDEX memory_workspace_expiry IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.active, n.expires_at)
;
CYPHER 25
CREATE INDEX memory_api_key IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.api_key_id)
;
CYPHER 25
CREATE INDEX memory_session IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.session_id)
;
CYPHER 25
CREATE INDEX memory_type IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.type)
;
CYPHER 25
CREATE INDEX memory_kind IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.kind)
;
CYPHER 25
CREATE INDEX memory_deletion_suggested IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.deletion_suggested_at)
;
CYPHER 25
CREATE INDEX memory_version_memory IF NOT EXISTS FOR (n:MemoryVersion) ON (n.workspace_id, n.memory_id)
;
CYPHER 25
CREATE INDEX memory_version_workspace IF NOT EXISTS FOR (n:MemoryVersion) ON (n.workspace_id)
;
CYPHER 25
CREATE CONSTRAINT tombstone_id_unique IF NOT EXISTS FOR (n:Tombstone) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX tombstone_workspace IF NOT EXISTS FOR (n:Tombstone) ON (n.workspace_id)
;
CYPHER 25
// Texts are analysed in their language. A label says which index holds a memory, so those in English and Chinese cost
// nothing in the other four.
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS FOR (n:Memory) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_cjk IF NOT EXISTS FOR (n:Memory) ON EACH [n.search_text_cjk, n.search_window, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_german IF NOT EXISTS FOR (n:InGerman) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'german', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_french IF NOT EXISTS FOR (n:InFrench) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'french', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_spanish IF NOT EXISTS FOR (n:InSpanish) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'spanish', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_portuguese IF NOT EXISTS FOR (n:InPortuguese) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'portuguese', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
// A range index holds a list as a whole, so tag prefixes are terms of a full-text index.
CREATE FULLTEXT INDEX memory_tags IF NOT EXISTS FOR (n:Memory) ON EACH [n.tag_prefixes, n.workspace_id] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
// What somebody has one of at a time: the memories that speak of one such slot.
CREATE FULLTEXT INDEX memory_slots IF NOT EXISTS FOR (n:Memory) ON EACH [n.slot_keys, n.workspace_id] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
// An association is found by its id, whatever its type.
CREATE INDEX invalidated_by_id IF NOT EXISTS FOR ()-[r:INVALIDATED_BY]-() ON (r.id)
;
CYPHER 25
CREATE INDEX derived_from_id IF NOT EXISTS FOR ()-[r:DERIVED_FROM]-() ON (r.id)
;
CYPHER 25
CREATE INDEX prefers_over_id IF NOT EXISTS FOR ()-[r:PREFERS_OVER]-() ON (r.id)
;
CYPHER 25
CREATE INDEX evolved_into_id IF NOT EXISTS FOR ()-[r:EVOLVED_INTO]-() ON (r.id)
;
CYPHER 25
CREATE INDEX relates_to_id IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.id)
;
CYPHER 25
CREATE INDEX leads_to_id IF NOT EXISTS FOR ()-[r:LEADS_TO]-() ON (r.id)
;
CYPHER 25
CREATE INDEX occurred_before_id IF NOT EXISTS FOR ()-[r:OCCURRED_BEFORE]-() ON (r.id)
;
CYPHER 25
CREATE INDEX exemplifies_id IF NOT EXISTS FOR ()-[r:EXEMPLIFIES]-() ON (r.id)
;
CYPHER 25
CREATE INDEX contradicts_id IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() ON (r.id)
;
CYPHER 25
CREATE INDEX reinforces_id IF NOT EXISTS FOR ()-[r:REINFORCES]-() ON (r.id)
;
CYPHER 25
CREATE INDEX part_of_id IF NOT EXISTS FOR ()-[r:PART_OF]-() ON (r.id)
