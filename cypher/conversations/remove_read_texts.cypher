// name: remove_read_texts
// mode: write
// returns: optional
// param: workspace_id string
// param: conversation_id string
// param: position integer — position of the last message that extraction has read
// column: removed integer — number of removed texts
// why: keeps the nodes, because memories refer to them and their positions and hashes recognize repeated captures; starts
//   at texts_kept_from, because the messages before it have no text left
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
WITH conversation, coalesce(conversation.texts_kept_from, 0) AS since
SET conversation.texts_removed_up_to = $position, conversation.texts_kept_from = $position + 1
WITH since
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
WHERE since <= message.position <= $position AND message.content IS NOT NULL
SET message.content = null
RETURN count(message) AS removed
