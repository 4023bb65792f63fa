// name: 0031_merging
// mode: schema
// why: a merge is undone by its id, or by that of the duplicate
CYPHER 25
CREATE CONSTRAINT entity_merge_id_unique IF NOT EXISTS FOR (n:EntityMerge) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE INDEX entity_merge_workspace IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX entity_merge_created IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX entity_merge_from IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.from_id)
