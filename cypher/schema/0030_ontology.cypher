// name: 0030_ontology
// mode: schema
// why: entities by id, key, type and age; the registry and the connections by name; names and aliases are found whole, each as one term, because a list has no range index on its members; ids are told apart within a workspace, so that one is restored from an archive beside the one it was made of
CYPHER 25
CREATE CONSTRAINT entity_of_workspace_unique IF NOT EXISTS FOR (n:Entity) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT entity_id_unique IF EXISTS
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
CREATE FULLTEXT INDEX entity_names IF NOT EXISTS FOR (n:Entity) ON EACH [n.name_keys, n.workspace_id] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE CONSTRAINT entity_type_of_workspace_unique IF NOT EXISTS FOR (n:EntityType) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT entity_type_id_unique IF EXISTS
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
DROP CONSTRAINT relation_type_id_unique IF EXISTS
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
