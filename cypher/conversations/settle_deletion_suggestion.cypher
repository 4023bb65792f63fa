// name: settle_deletion_suggestion
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: memory_id string
// param: is_dismissed boolean
// param: now datetime
// column: id string
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, id: $memory_id})
WHERE memory.deletion_suggested_at IS NOT NULL
  // include: in_scope
SET memory.deletion_suggested_at = null, memory.deletion_reason = null, memory.deletion_conversation_id = null,
    memory.deletion_dismissed_at = CASE WHEN $is_dismissed THEN $now ELSE null END
RETURN memory.id AS id
