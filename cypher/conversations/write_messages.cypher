// name: write_messages
// mode: write
// returns: none
// param: workspace_id string
// param: conversation_id string
// param: messages list<map> — {id, properties}
// param: now datetime
// why: MERGE, because a memory that names a message before it is captured creates a node without text; texts_kept_from is
//   the first position with a text if texts are removed after extraction, and a late message moves it back
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
USING INDEX conversation:Conversation(workspace_id, id)
UNWIND $messages AS row
MERGE (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, id: row.id})
  ON CREATE SET message.created_at = $now
SET message += row.properties, message.user_id = conversation.user_id, message.agent_id = conversation.agent_id
MERGE (message)-[:PART_OF]->(conversation)
WITH conversation, min(message.position) AS earliest
WHERE earliest < conversation.texts_kept_from
SET conversation.texts_kept_from = earliest
