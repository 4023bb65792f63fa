// name: find_captured
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: ids list<string>
// param: positions list<integer>
// column: message map
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, id: id})
  RETURN message
UNION
  UNWIND $positions AS position
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, position: position})
  RETURN message
}
RETURN
  message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .author_id, .said_at,
    .utc_offset, .created_at
  } AS message
ORDER BY message.position, message.id
