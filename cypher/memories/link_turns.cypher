// name: link_turns
// mode: write
// returns: none
// param: workspace_id string
// param: turns list<map> — {id, conversation_id, message_id or null, role or null, said_at or null, message_hash, previous_id or null}
// param: now datetime
// why: recall finds a turn's neighbours through the chain; the message keeps its text even if the memory changes
CYPHER 25
UNWIND $turns AS row
MATCH (turn:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX turn:Memory(workspace_id, id)
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: row.conversation_id})
USING INDEX conversation:Conversation(workspace_id, id)
CREATE (turn)-[:FROM]->(conversation)
WITH turn, row, conversation
CALL (turn, row, conversation) {
  WITH turn, row, conversation
  WHERE row.message_id IS NOT NULL
  MERGE (message:Message {
    workspace_id: $workspace_id, conversation_id: row.conversation_id, id: row.message_id
  })
    ON CREATE SET message.created_at = $now, message.user_id = turn.user_id, message.agent_id = turn.agent_id
  CREATE (turn)-[:FROM]->(message)
  WITH turn, row, conversation, message
  WHERE message.content IS NULL
  SET message.content = turn.content, message.speaker = turn.speaker, message.role = row.role,
      message.session_id = turn.session_id, message.said_at = row.said_at, message.content_hash = row.message_hash,
      message.position = coalesce(conversation.next_position, 0)
  SET conversation.next_position = message.position + 1
  CREATE (message)-[:PART_OF]->(conversation)
}
CALL (turn, row) {
  WITH turn, row
  WHERE row.previous_id IS NOT NULL
  MATCH (previous:Memory {workspace_id: $workspace_id, id: row.previous_id})
  USING INDEX previous:Memory(workspace_id, id)
  CREATE (previous)-[:NEXT]->(turn)
}
