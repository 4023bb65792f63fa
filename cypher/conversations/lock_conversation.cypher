// name: lock_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// column: settings string — workspace settings, JSON
// column: user_id string — owner of the conversation
// column: extracted_up_to integer — last position that all configured readers have read; -1: none
// column: is_requested boolean — whether a person's extraction request is pending
// why: serializes consolidations and captures; returns no row if memory is off, if the conversation is outside the scope,
//   or if another transaction moved it to another workspace while this one waited for the lock
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $id})
WHERE true
  // include: in_scope of conversation
// include: lock of conversation
WITH workspace, conversation
WHERE conversation['workspace_id'] = $workspace_id
RETURN workspace.settings AS settings, coalesce(conversation.user_id, '') AS user_id,
       coalesce(conversation.extracted_up_to, -1) AS extracted_up_to,
       conversation.extraction_wished_at IS NOT NULL AS is_requested
