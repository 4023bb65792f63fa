// name: remove_read_texts
// mode: write
// returns: optional
// param: workspace_id string
// param: conversation_id string
// param: position integer — of the last message that was read
// column: removed integer — texts
// why: the nodes stay for what refers to them, and for their places and hashes, by which a message is known for ever; those
//   before texts_kept_from lost their text before, and are not looked at again
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
WITH conversation, coalesce(conversation.texts_kept_from, 0) AS since
SET conversation.texts_removed_up_to = $position, conversation.texts_kept_from = $position + 1
WITH since
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
WHERE since <= message.position <= $position AND message.content IS NOT NULL
SET message.content = null
RETURN count(message) AS removed
