// name: list_memories
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime — excludes expired memories
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: memory map
// why: the ORDER BY starts with workspace_id, so that the index on (workspace_id, created_at) gives the order; id breaks
//   ties, so pages neither repeat nor miss a row
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR memory.created_at < $after_created OR memory.id < $after_id)
  AND memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
WITH memory
ORDER BY memory.workspace_id DESC, memory.created_at DESC, memory.id DESC
LIMIT $limit
RETURN
  memory {
    // include: memory_fields
  } AS memory
