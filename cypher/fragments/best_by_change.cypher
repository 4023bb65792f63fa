// Statements that closed a candidate, directly or in up to 5 steps: a query that finds the old state of a slot also needs
// the new one.
UNWIND base AS older
MATCH (older)(({workspace_id: $workspace_id})-[link:INVALIDATED_BY WHERE link.by = 'slot']->({workspace_id: $workspace_id})){1,5}(memory:Memory {workspace_id: $workspace_id})
WHERE memory.active
  AND coalesce(memory.expires_at > $now, true)
  // include: in_scope
  // include: memory_filter
RETURN DISTINCT memory
