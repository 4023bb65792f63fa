// name: delete_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// column: user_id string — owner; empty: the whole workspace
// why: locks the conversation first: a concurrent capture is either deleted with it or creates a new conversation
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $id})
WHERE true
  // include: in_scope of conversation
// include: lock of conversation
WITH conversation, coalesce(conversation.user_id, '') AS user_id
WHERE conversation['workspace_id'] = $workspace_id
CALL () {
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $id})
  USING INDEX SEEK message:Message(workspace_id, conversation_id, id)
  WHERE message.id IS NOT NULL
  DETACH DELETE message
}
CALL () {
  MATCH (episode:Episode {workspace_id: $workspace_id, conversation_id: $id})
  OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, subject_id: episode.id})
  DETACH DELETE job, episode
}
CALL () {
  MATCH (summary:ConversationSummary {workspace_id: $workspace_id, conversation_id: $id})
  DETACH DELETE summary
}
CALL () {
  MATCH (pending:Distillation {workspace_id: $workspace_id, conversation_id: $id})
  OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, subject_id: pending.id})
  DETACH DELETE job, pending
}
CALL () {
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: $id})
  WHERE job.kind STARTS WITH 'EXTRACT'
  DETACH DELETE job
}
DETACH DELETE conversation
RETURN user_id
