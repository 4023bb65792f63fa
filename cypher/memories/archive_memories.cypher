// name: archive_memories
// mode: write
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// param: now datetime
// column: id string
// column: turn_scope string?
// column: position integer?
// why: a soft delete keeps the node for restoreMemory, and removes the memory and its passages from every index
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE true
  // include: in_scope
// include: lock of memory
WITH memory
WHERE memory['workspace_id'] = $workspace_id AND memory['deleted_at'] IS NULL
SET memory.deleted_at = $now, memory.updated_at = $now, memory.active = false, memory.dedup_key = null
// include: out_of_text_indexes
WITH memory
CALL (memory) {
  MATCH (memory)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
  SET passage.active = false
}
RETURN memory.id AS id, memory.turn_scope AS turn_scope, memory.position AS position
