// name: list_earlier_messages
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: position integer — position of the first new message
// param: limit integer
// column: message map
// why: background for the reader of the new messages; the latest first
CYPHER 25
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
WHERE 0 <= message.position < $position AND message.content IS NOT NULL
WITH message
ORDER BY message.workspace_id DESC, message.conversation_id DESC, message.position DESC, message.id DESC
LIMIT $limit
RETURN
  message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .said_at, .utc_offset,
    .created_at
  } AS message
