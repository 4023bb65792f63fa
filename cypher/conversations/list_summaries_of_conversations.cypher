// name: list_summaries_of_conversations
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_ids list<string>
// column: summary map
CYPHER 25
UNWIND $conversation_ids AS conversation_id
MATCH (summary:ConversationSummary {workspace_id: $workspace_id, conversation_id: conversation_id})
USING INDEX summary:ConversationSummary(workspace_id, conversation_id)
WHERE true
  // include: in_scope of summary
RETURN summary {
  // include: summary_fields
} AS summary
