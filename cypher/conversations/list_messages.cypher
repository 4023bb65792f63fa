// name: list_messages
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_ids list<string>
// param: after_position integer — page start: the last row's position; -1 starts with the first message
// param: after_id string — page start: the last row's id
// param: limit integer — messages for each conversation
// column: message map
CYPHER 25
UNWIND $conversation_ids AS conversation_id
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: conversation_id})
USING INDEX conversation:Conversation(workspace_id, id)
WHERE true
  // include: in_scope of conversation
CALL (conversation_id) {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: conversation_id})
  WHERE message.position >= $after_position AND message.content IS NOT NULL
    AND (message.position > $after_position OR message.id > $after_id)
  RETURN message
  ORDER BY message.workspace_id, message.conversation_id, message.position, message.id
  LIMIT $limit
}
RETURN
  message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .author_id, .said_at,
    .utc_offset, .created_at
  } AS message
