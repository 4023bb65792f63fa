// name: list_concluded
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: source_types list<string>
// param: now datetime
// param: limit integer
// column: memory map
// why: a handoff omits expired, superseded, ended and not yet valid memories; it lists the newest first
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, source_conversation_id: $conversation_id})
USING INDEX memory:Memory(workspace_id, source_conversation_id)
WHERE memory.active AND memory.source_type IN $source_types
  AND coalesce(memory.expires_at > $now, true)
  AND coalesce(memory.t_valid <= $now, true)
  AND coalesce(memory.t_invalid > $now, true)
  // include: in_scope
  AND NOT
    // include: superseded
WITH memory
ORDER BY memory.created_at DESC, memory.id DESC
LIMIT $limit
RETURN
  memory {
    // include: memory_fields
  } AS memory
