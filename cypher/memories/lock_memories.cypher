// name: lock_memories
// mode: write
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// param: keys list<map> — {user_id, agent_id, key}: keys are unique per user and agent
// column: memory map — state of the memory after the lock
// column: revision integer — counts content changes, including those of neighbouring turns
// column: turn map — {turn_scope, position, previous_content, previous_speaker}, the latter two if the previous turn is live
// why: the lock prevents lost updates between reading and writing a memory; omits a memory that moved to another workspace
//   while this query waited for its lock
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
  USING INDEX memory:Memory(workspace_id, id)
  RETURN memory
UNION
  UNWIND $keys AS named
  MATCH (memory:Memory {
    workspace_id: $workspace_id, user_id: named.user_id, agent_id: named.agent_id, key: named.key
  })
  USING INDEX memory:Memory(workspace_id, user_id, agent_id, key)
  RETURN memory
}
WITH memory
WHERE true
  // include: in_scope
// include: lock of memory
WITH memory
WHERE memory['workspace_id'] = $workspace_id
OPTIONAL MATCH (previous WHERE previous.workspace_id = $workspace_id AND previous.active)-[:NEXT]->(memory)
RETURN
  memory {
    // include: memory_fields
  } AS memory,
  memory.revision AS revision,
  {
    turn_scope: memory.turn_scope, position: memory.position, previous_content: previous.content,
    previous_speaker: previous.speaker
  } AS turn
