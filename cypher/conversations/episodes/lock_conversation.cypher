// name: lock_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: id string
// column: settings string — of the workspace, JSON
// column: user_id string — whose the conversation is
// column: extracted_up_to integer — how far all have read that are to; -1: nothing
// column: is_wished boolean — whether a person wants it read
// why: two consolidations, or one and a capture, go one after the other; no row where memory is off, where it is
//   another's, or where it became another workspace's while its lock was waited for
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
       conversation.extraction_wished_at IS NOT NULL AS is_wished
