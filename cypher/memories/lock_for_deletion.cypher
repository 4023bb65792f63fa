// name: lock_for_deletion
// mode: write
// returns: none
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// why: deleting a memory locks the memories and entities that share an edge with it; here every deletion locks all of
//   them in the order that linking follows, so that two transactions do not each hold what the other waits for; reads the
//   memories after it has the entities, since linking draws edges between those that share one
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
  USING INDEX memory:Memory(workspace_id, id)
  WHERE true
    // include: in_scope
  MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  WITH DISTINCT entity
  ORDER BY entity.id
  // include: lock of entity
}
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE true
  // include: in_scope
CALL (memory) {
  RETURN memory AS node
UNION
  MATCH (memory)--(node:Memory {workspace_id: $workspace_id})
  RETURN node
}
WITH DISTINCT node
ORDER BY node.id
// include: lock of node
