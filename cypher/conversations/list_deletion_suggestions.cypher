// name: list_deletion_suggestions
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: after_suggested datetime? — page start: the last row's suggested_at
// param: after_id string? — page start: the last row's memory
// param: limit integer
// column: suggestion map — see graph.conversations.extraction.models.DeletionSuggestion
// why: reads the newest first from the index on (workspace_id, deletion_suggested_at); id breaks ties
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
USING INDEX memory:Memory(workspace_id, deletion_suggested_at)
WHERE memory.deletion_suggested_at <= coalesce($after_suggested, datetime('9999-12-31T00:00:00Z'))
  AND ($after_suggested IS NULL OR memory.deletion_suggested_at < $after_suggested OR memory.id < $after_id)
  AND memory.deleted_at IS NULL
  // include: in_scope
WITH memory
ORDER BY memory.workspace_id DESC, memory.deletion_suggested_at DESC, memory.id DESC
LIMIT $limit
RETURN {
    workspace_id: memory.workspace_id, memory_id: memory.id, reason: memory.deletion_reason,
    conversation_id: memory.deletion_conversation_id, suggested_at: memory.deletion_suggested_at
  } AS suggestion
