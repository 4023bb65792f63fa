// name: count_memories
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// column: count integer
CYPHER 25
UNWIND coalesce($scope.users, [null]) AS user_id
CALL (user_id) {
  WITH user_id
  WHERE user_id IS NULL
  MATCH (memory:Memory {workspace_id: $workspace_id})
  RETURN memory
UNION ALL
  WITH user_id
  WHERE user_id IS NOT NULL
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: user_id})
  USING INDEX memory:Memory(workspace_id, user_id)
  RETURN memory
}
WITH memory
WHERE memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
RETURN count(memory) AS count
