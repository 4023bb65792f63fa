// name: delete_messages
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: limit integer — most messages deleted in one transaction
// column: deleted integer — 0 once at most `limit` messages remain
// why: deletes a long conversation in bounded transactions; delete_conversation deletes the remaining messages with the
//   conversation itself
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
WHERE true
  // include: in_scope of conversation
// include: lock of conversation
WITH conversation
WHERE conversation['workspace_id'] = $workspace_id
CALL () {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  USING INDEX SEEK message:Message(workspace_id, conversation_id, id)
  WHERE message.id IS NOT NULL
  WITH message
  SKIP $limit
  LIMIT $limit
  DETACH DELETE message
  RETURN count(*) AS deleted
}
RETURN deleted
