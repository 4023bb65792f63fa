// name: link_sources
// mode: write
// returns: many
// param: workspace_id string
// param: sources list<map> — {id, conversation_id, message_id or null}: source of a memory's statement
// param: now datetime
// column: conversation_id string — conversations that moved to another workspace while this query waited for their lock
// why: records the provenance of memories other than turns; a message that is not captured yet gets a node without
//   text
CYPHER 25
UNWIND $sources AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
MERGE (conversation:Conversation {workspace_id: $workspace_id, id: row.conversation_id})
  ON CREATE SET conversation.created_at = $now, conversation.updated_at = $now,
                conversation.user_id = memory.user_id, conversation.agent_id = memory.agent_id
// include: lock of conversation
MERGE (memory)-[:FROM]->(conversation)
WITH memory, row, conversation['workspace_id'] <> $workspace_id AS has_left
CALL (memory, row) {
  WITH memory, row
  WHERE row.message_id IS NOT NULL
  MERGE (message:Message {
    workspace_id: $workspace_id, conversation_id: row.conversation_id, id: row.message_id
  })
    ON CREATE SET message.created_at = $now, message.user_id = memory.user_id, message.agent_id = memory.agent_id
  MERGE (memory)-[:FROM]->(message)
}
WITH row, has_left
WHERE has_left
RETURN DISTINCT row.conversation_id AS conversation_id
