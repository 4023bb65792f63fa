// name: schedule_extraction
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: now datetime
// column: memory_enabled boolean — false: memory is off, and the query changed nothing
// column: settings string — workspace settings, JSON
// why: a person requests extraction of the whole conversation, so both cursors are reset; rereads invalidates a running
//   extraction
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
WHERE true
  // include: in_scope of conversation
// include: lock of conversation
FOREACH (_ IN CASE WHEN workspace.memory_enabled THEN [1] ELSE [] END |
  SET conversation.facts_up_to = null, conversation.extracted_up_to = null, conversation.extraction_wished_at = $now,
      conversation.rereads = coalesce(conversation.rereads, 0) + 1)
RETURN workspace.memory_enabled AS memory_enabled, workspace.settings AS settings
