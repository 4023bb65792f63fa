// name: vectors
// mode: schema
// why: all nodes with a vector bear the label Searchable, so one index serves them; passages are parts of long memories
CYPHER 25
CREATE CONSTRAINT vector_index_meta_unique IF NOT EXISTS FOR (n:VectorIndexMeta) REQUIRE n.name IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT vector_tier_meta_unique IF NOT EXISTS FOR (n:VectorTierMeta) REQUIRE n.name IS UNIQUE
;
CYPHER 25
// Walks over all workspaces go along the index on id alone.
CREATE CONSTRAINT searchable_of_workspace_unique IF NOT EXISTS FOR (n:Searchable) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX searchable_id IF NOT EXISTS FOR (n:Searchable) ON (n.id)
;
CYPHER 25
CREATE INDEX searchable_workspace IF NOT EXISTS FOR (n:Searchable) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX passage_slot IF NOT EXISTS FOR (n:Passage) ON (n.slot)
;
CYPHER 25
CREATE INDEX passage_workspace IF NOT EXISTS FOR (n:Passage) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX passage_user IF NOT EXISTS FOR (n:Passage) ON (n.workspace_id, n.user_id)
