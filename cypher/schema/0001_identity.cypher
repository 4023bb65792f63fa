// name: 0001_identity
// mode: schema
// why: identity and tenancy; a uniqueness key of workspace data holds the workspace, so no tenant can collide with another
CYPHER 25
CREATE CONSTRAINT workspace_id_unique IF NOT EXISTS FOR (n:Workspace) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT workspace_default_unique IF NOT EXISTS FOR (n:Workspace) REQUIRE n.default_marker IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT api_key_id_unique IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT api_key_hash_unique IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.hash IS UNIQUE
;
CYPHER 25
CREATE INDEX api_key_workspace IF NOT EXISTS FOR (n:ApiKey) ON (n.workspace_id)
;
CYPHER 25
CREATE CONSTRAINT schema_version_unique IF NOT EXISTS FOR (n:SchemaVersion) REQUIRE n.name IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT vector_index_meta_unique IF NOT EXISTS FOR (n:VectorIndexMeta) REQUIRE n.name IS UNIQUE
