// name: tenancy
// mode: schema
// why: workspaces and keys; lookups of a key by its present and previous secret
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
CREATE CONSTRAINT api_key_previous_hash_unique IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.previous_hash IS UNIQUE
;
CYPHER 25
CREATE INDEX api_key_workspace IF NOT EXISTS FOR (n:ApiKey) ON (n.workspace_id)
