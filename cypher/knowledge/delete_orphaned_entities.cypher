// name: delete_orphaned_entities
// mode: write
// returns: one
// param: workspace_id string
// param: ids list<string>
// column: deleted integer
// why: an entity that linking created from a deleted text, and that nothing else refers to, would still reveal a word
//   of the text
CYPHER 25
UNWIND $ids AS id
MATCH (entity:Entity {workspace_id: $workspace_id, id: id})
USING INDEX entity:Entity(workspace_id, id)
WHERE entity.by_linking AND NOT coalesce(entity.by_hand, false) AND NOT EXISTS { (entity)--({workspace_id: $workspace_id}) }
CALL (id) {
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: id})
  USING INDEX job:Job(workspace_id, subject_id)
  DETACH DELETE job
}
DETACH DELETE entity
RETURN count(*) AS deleted
