// name: 0031_merging
// mode: schema
// why: a merge is undone by its id, or by that of the duplicate; ids are told apart within a workspace, so that one is restored from an archive beside the one it was made of
CYPHER 25
CREATE CONSTRAINT entity_merge_of_workspace_unique IF NOT EXISTS FOR (n:EntityMerge) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
DROP CONSTRAINT entity_merge_id_unique IF EXISTS
;
CYPHER 25
CREATE INDEX entity_merge_workspace IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX entity_merge_created IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX entity_merge_from IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.from_id)
