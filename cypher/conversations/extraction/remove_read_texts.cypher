// name: remove_read_texts
// mode: write
// returns: none
// param: workspace_id string
// param: conversation_id string
// param: position integer — of the last message that was read
// why: the nodes stay for what refers to them, and for their places and hashes, by which a message is known for ever
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
SET conversation.texts_removed_up_to = $position
WITH conversation
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
WHERE 0 <= message.position <= $position AND message.content IS NOT NULL
SET message.content = null
