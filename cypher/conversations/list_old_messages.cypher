// name: list_old_messages
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: retain_last integer — number of newest messages that stay, regardless of their age
// param: older_than datetime
// param: read_up_to integer? — last position that extraction has read; null: nothing waits for extraction
// param: limit integer
// column: message map
// column: content_hash string? — null for a message that was not captured as text
// why: skips messages of earlier episodes and messages that extraction has not read yet; turns are memories already and
//   need no extraction
CYPHER 25
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
WHERE message.position >= 0 AND message.content IS NOT NULL
WITH message
ORDER BY message.position DESC, message.id DESC
SKIP $retain_last
WITH message
WHERE coalesce(message.said_at, message.created_at) < $older_than AND message.episode_id IS NULL
  AND (
    $read_up_to IS NULL OR message.position <= $read_up_to
    OR EXISTS { (message)<-[:FROM]-(turn:Memory {workspace_id: $workspace_id}) WHERE turn.turn_scope IS NOT NULL }
  )
RETURN
  message {
    .id, .workspace_id, .conversation_id, .session_id, .position, .content, .speaker, .role, .said_at, .utc_offset,
    .created_at
  } AS message,
  message.content_hash AS content_hash
ORDER BY message.position, message.id
LIMIT $limit
