// name: 0060_documents
// mode: schema
// why: a document is added again by its key; its chunks are read in their order; ids are told apart within a workspace, so that one is restored from an archive beside the one it was made of
CYPHER 25
CREATE CONSTRAINT document_of_workspace_unique IF NOT EXISTS FOR (n:Document) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT document_id_unique IF EXISTS
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
DROP CONSTRAINT chunk_id_unique IF EXISTS
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
DROP CONSTRAINT artifact_id_unique IF EXISTS
;
CYPHER 25
CREATE CONSTRAINT artifact_key_unique IF NOT EXISTS FOR (n:Artifact) REQUIRE (n.workspace_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE INDEX artifact_workspace IF NOT EXISTS FOR (n:Artifact) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX artifact_created IF NOT EXISTS FOR (n:Artifact) ON (n.workspace_id, n.created_at)
