// name: replace_conversation_summary
// mode: write
// returns: optional
// param: workspace_id string
// param: conversation_id string
// param: id string — id of a new summary; an existing summary keeps its id
// param: properties map — see graph.conversations.handoffs.service
// param: now datetime
// column: summary map
// why: MERGE leaves one summary after concurrent requests; returns no row if the conversation no longer exists
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
MERGE (summary:ConversationSummary {workspace_id: $workspace_id, conversation_id: $conversation_id})
  ON CREATE SET summary.id = $id, summary.created_at = $now
SET summary += $properties, summary.updated_at = $now, summary.user_id = conversation.user_id,
    summary.agent_id = conversation.agent_id
MERGE (summary)-[:SUMMARISES]->(conversation)
RETURN summary {
  // include: summary_fields
} AS summary
