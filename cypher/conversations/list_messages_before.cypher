// name: list_messages_before
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_ids list<string>
// param: before_position integer — page start: the last row's position; a number above all positions starts at the end
// param: before_id string — page start: the last row's id
// param: limit integer — messages for each conversation
// column: message map
// why: scans each conversation backwards from its end, so its latest messages are read without the earlier ones
CYPHER 25
UNWIND $conversation_ids AS conversation_id
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: conversation_id})
USING INDEX conversation:Conversation(workspace_id, id)
WHERE true
  // include: in_scope of conversation
CALL (conversation_id) {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: conversation_id})
  WHERE message.position <= $before_position AND message.content IS NOT NULL
    AND (message.position < $before_position OR message.id < $before_id)
  RETURN message
  ORDER BY message.workspace_id DESC, message.conversation_id DESC, message.position DESC, message.id DESC
  LIMIT $limit
}
RETURN
  message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .author_id, .said_at,
    .utc_offset, .created_at
  } AS message
