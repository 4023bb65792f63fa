// name: get_conversation_summaries
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// column: summary map
CYPHER 25
UNWIND $ids AS id
MATCH (summary:ConversationSummary {workspace_id: $workspace_id, id: id})
USING INDEX summary:ConversationSummary(workspace_id, id)
WHERE true
  // include: in_scope of summary
RETURN summary {
  // include: summary_fields
} AS summary
