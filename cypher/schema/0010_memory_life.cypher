// name: 0010_memory_life
// mode: schema
// why: what a memory is saved once by, what remains of a deleted one, and the lists that owners, sessions and kinds make
CYPHER 25
CREATE CONSTRAINT memory_dedup_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.workspace_id, n.dedup_key) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT tombstone_id_unique IF NOT EXISTS FOR (n:Tombstone) REQUIRE (n.workspace_id, n.id) IS UNIQUE
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
CREATE INDEX tombstone_workspace IF NOT EXISTS FOR (n:Tombstone) ON (n.workspace_id)
