// name: find_messages
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// param: conversation_id string? — null: any conversation
// param: limit integer
// column: message map
CYPHER 25
MATCH (message:Message {workspace_id: $workspace_id, id: $id})
WHERE message.conversation_id = coalesce($conversation_id, message.conversation_id)
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: message.conversation_id})
WHERE true
  // include: in_scope of conversation
RETURN
  message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .author_id, .said_at,
    .utc_offset, .created_at
  } AS message
ORDER BY message.conversation_id
LIMIT $limit
