// name: find_merge
// mode: write
// returns: optional
// param: workspace_id string
// param: id string — of the merge or of the duplicate
// column: entity_merge map — the one that is not undone
// column: before string
// column: after string
// column: merged_further boolean — whether the entity it was merged into is itself a duplicate by now
// why: the locks of both entities prevent two undos of one merge
CYPHER 25
CALL () {
  MATCH (note:EntityMerge {workspace_id: $workspace_id, id: $id})
  RETURN note
UNION
  MATCH (note:EntityMerge {workspace_id: $workspace_id, from_id: $id})
  RETURN note
}
MATCH (source:Entity {workspace_id: $workspace_id, id: note.from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: note.into_id})
// include: lock of source
// include: lock of target
WITH note, source, target
WHERE note.undone_at IS NULL AND EXISTS { (source)-[:MERGED_INTO]->(target) }
RETURN
  note {.id, .from_id, .into_id, .copied, .created_at, .undone_at} AS entity_merge, note.before AS before,
  note.after AS after,
  EXISTS { (target)-[:MERGED_INTO]->(:Entity {workspace_id: $workspace_id}) } AS merged_further
