// name: undo_merge
// mode: write
// returns: one
// param: workspace_id string
// param: id string
// param: now datetime
// column: removed integer — edges that were copied and are taken back
// why: an edge that was drawn again since is the entity's own and stays
CYPHER 25
MATCH (note:EntityMerge {workspace_id: $workspace_id, id: $id})
MATCH (source:Entity {workspace_id: $workspace_id, id: note.from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: note.into_id})
SET note.undone_at = $now, source.active = true, source.deleted_at = null, source.updated_at = $now
WITH source, target
CALL (source, target) {
  MATCH (source)-[tie:MERGED_INTO]->(target)
  DELETE tie
}
CALL (target) {
  MATCH (target)-[edge]-(other {workspace_id: $workspace_id})
  WHERE edge.via_merge = $id
  WITH DISTINCT edge
  DELETE edge
  RETURN count(*) AS removed
}
RETURN removed
