// name: count_of_conversations
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// column: id string
// column: messages integer
// column: memories integer — memories from the conversation that are not deleted
CYPHER 25
UNWIND $ids AS id
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: id})
USING INDEX conversation:Conversation(workspace_id, id)
WHERE true
  // include: in_scope of conversation
CALL (id) {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: id})
  WHERE message.position >= 0 AND message.content IS NOT NULL
  RETURN count(message) AS messages
}
CALL (id) {
  MATCH (memory:Memory {workspace_id: $workspace_id, source_conversation_id: id})
  USING INDEX memory:Memory(workspace_id, source_conversation_id)
  WHERE memory.deleted_at IS NULL
  RETURN count(memory) AS memories
}
RETURN id, messages, memories
