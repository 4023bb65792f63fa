// name: knowledge
// mode: schema
// why: ids are unique within a workspace, so an archive fits beside its original workspace
CYPHER 25
CREATE CONSTRAINT entity_of_workspace_unique IF NOT EXISTS FOR (n:Entity) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT entity_key_unique IF NOT EXISTS FOR (n:Entity) REQUIRE (n.workspace_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE INDEX entity_workspace IF NOT EXISTS FOR (n:Entity) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX entity_created IF NOT EXISTS FOR (n:Entity) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX entity_of_type IF NOT EXISTS FOR (n:Entity) ON (n.workspace_id, n.type, n.active)
;
CYPHER 25
// A list has no range index on its members, so each name and alias is one term of a full-text index.
CREATE FULLTEXT INDEX entity_names IF NOT EXISTS FOR (n:Entity) ON EACH [n.name_keys, n.workspace_id] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE CONSTRAINT entity_type_of_workspace_unique IF NOT EXISTS FOR (n:EntityType) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT entity_type_name_unique IF NOT EXISTS FOR (n:EntityType) REQUIRE (n.workspace_id, n.name) IS UNIQUE
;
CYPHER 25
CREATE INDEX entity_type_workspace IF NOT EXISTS FOR (n:EntityType) ON (n.workspace_id)
;
CYPHER 25
CREATE CONSTRAINT relation_type_of_workspace_unique IF NOT EXISTS FOR (n:RelationType) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT relation_type_name_unique IF NOT EXISTS FOR (n:RelationType) REQUIRE (n.workspace_id, n.name) IS UNIQUE
;
CYPHER 25
CREATE INDEX relation_type_workspace IF NOT EXISTS FOR (n:RelationType) ON (n.workspace_id)
;
CYPHER 25
CREATE CONSTRAINT connection_id_unique IF NOT EXISTS FOR (n:Connection) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX connection_workspace IF NOT EXISTS FOR (n:Connection) ON (n.workspace_id)
;
CYPHER 25
// A merge is undone by its id or by that of the duplicate.
CREATE CONSTRAINT entity_merge_of_workspace_unique IF NOT EXISTS FOR (n:EntityMerge) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX entity_merge_workspace IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX entity_merge_created IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX entity_merge_from IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.from_id)
;
CYPHER 25
CREATE INDEX entity_merge_into IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.into_id)
;
CYPHER 25
CREATE CONSTRAINT document_of_workspace_unique IF NOT EXISTS FOR (n:Document) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT document_key_unique IF NOT EXISTS FOR (n:Document) REQUIRE (n.workspace_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE INDEX document_workspace IF NOT EXISTS FOR (n:Document) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX document_created IF NOT EXISTS FOR (n:Document) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX document_connection IF NOT EXISTS FOR (n:Document) ON (n.workspace_id, n.connection_id)
;
CYPHER 25
CREATE CONSTRAINT chunk_of_workspace_unique IF NOT EXISTS FOR (n:Chunk) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX chunk_workspace IF NOT EXISTS FOR (n:Chunk) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX chunk_document IF NOT EXISTS FOR (n:Chunk) ON (n.workspace_id, n.document_id, n.ordinal)
;
CYPHER 25
CREATE CONSTRAINT artifact_of_workspace_unique IF NOT EXISTS FOR (n:Artifact) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT artifact_key_unique IF NOT EXISTS FOR (n:Artifact) REQUIRE (n.workspace_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE INDEX artifact_workspace IF NOT EXISTS FOR (n:Artifact) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX artifact_created IF NOT EXISTS FOR (n:Artifact) ON (n.workspace_id, n.created_at)
