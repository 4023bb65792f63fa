// name: delete_entities
// mode: write
// returns: one
// param: workspace_id string
// param: ids list<string>
// column: deleted integer
// why: permanent, including records of merges, which can no longer be undone
CYPHER 25
UNWIND $ids AS id
MATCH (entity:Entity {workspace_id: $workspace_id, id: id})
USING INDEX entity:Entity(workspace_id, id)
CALL (id) {
  MATCH (note:EntityMerge {workspace_id: $workspace_id, from_id: id})
  USING INDEX note:EntityMerge(workspace_id, from_id)
  DELETE note
}
CALL (id) {
  MATCH (note:EntityMerge {workspace_id: $workspace_id, into_id: id})
  USING INDEX note:EntityMerge(workspace_id, into_id)
  DELETE note
}
DETACH DELETE entity
RETURN count(*) AS deleted
