// name: list_both_ends
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: first integer — number of messages from the beginning
// param: last integer — number of messages from the end
// column: message map
// why: people introduce themselves at the beginning and state open points at the end, so the middle of a long conversation
//   is skipped
CYPHER 25
CALL () {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  WHERE message.position >= 0 AND message.content IS NOT NULL
  RETURN message
  ORDER BY message.workspace_id, message.conversation_id, message.position, message.id
  LIMIT $first
UNION
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  WHERE message.position >= 0 AND message.content IS NOT NULL
  RETURN message
  ORDER BY message.workspace_id DESC, message.conversation_id DESC, message.position DESC, message.id DESC
  LIMIT $last
}
RETURN message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .said_at, .utc_offset,
    .created_at
  } AS message
ORDER BY message.position, message.id
