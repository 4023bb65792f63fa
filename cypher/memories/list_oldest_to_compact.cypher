// name: list_oldest_to_compact
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: api_key_id string?
// param: session_id string?
// param: created_before datetime
// param: now datetime — excludes expired memories
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: memory map
// why: oldest first from the index on (workspace_id, created_at); excludes turns, summaries and memories kept whole
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at >= coalesce($after_created, datetime('0001-01-01T00:00:00Z'))
  AND memory.created_at < $created_before
  AND ($after_created IS NULL OR memory.created_at > $after_created OR memory.id > $after_id)
  AND memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: in_scope
  AND memory.turn_scope IS NULL
  AND memory.compacts IS NULL
  AND memory.kept_whole IS NULL
  AND ($api_key_id IS NULL OR memory.api_key_id = $api_key_id)
  AND ($session_id IS NULL OR memory.session_id = $session_id)
WITH memory
ORDER BY memory.workspace_id, memory.created_at, memory.id
LIMIT $limit
RETURN
  memory {
    // include: memory_fields
  } AS memory
