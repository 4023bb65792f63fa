// name: count_what_moves
// mode: read
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// column: nodes integer — messages, and memories with their versions and passages
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $id})
WHERE true
  // include: in_scope of conversation
CALL () {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $id})
  USING INDEX SEEK message:Message(workspace_id, conversation_id, id)
  WHERE message.id IS NOT NULL
  RETURN count(message) AS messages
}
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id, source_conversation_id: $id})
  USING INDEX memory:Memory(workspace_id, source_conversation_id)
  RETURN count(memory) AS memories,
         sum(COUNT { MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: memory.id}) }) AS versions,
         sum(COUNT { (memory)<-[:PART_OF]-(:Passage {workspace_id: $workspace_id}) }) AS passages
}
RETURN messages + memories + versions + passages AS nodes
