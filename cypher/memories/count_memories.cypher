// name: count_memories
// mode: read
// returns: one
// param: workspace_id string
// param: filter map — as the fragment memory_filter reads it
// param: now datetime
// column: count integer
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
RETURN count(memory) AS count
