// name: find_same_texts
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: hashes list<string>
// column: position integer
// column: content_hash string
// column: role string?
// column: turn_ends integer? — only for position 0: position of the next message that is not the assistant's
// why: a message without an id or a position is recognized by its text
CYPHER 25
UNWIND $hashes AS hash
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, content_hash: hash})
WHERE message.position IS NOT NULL
OPTIONAL CALL (message) {
  WITH message
  WHERE message.position = 0
  MATCH (next:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  USING INDEX next:Message(workspace_id, conversation_id, position)
  WHERE next.position > 0 AND coalesce(next.role, '') <> 'assistant'
  RETURN next.position AS turn_ends
  ORDER BY next.workspace_id, next.conversation_id, next.position
  LIMIT 1
}
RETURN message.position AS position, message.content_hash AS content_hash, message.role AS role, turn_ends
ORDER BY position
