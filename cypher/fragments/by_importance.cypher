// Ids of a page of the live memories that match the filter, by importance and then by event time.
WHERE memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
  AND (NOT $only_current OR NOT
    // include: superseded
  )
RETURN memory.id AS id
ORDER BY memory.importance DESC, memory.timestamp DESC, memory.id DESC
SKIP $offset
LIMIT $limit
