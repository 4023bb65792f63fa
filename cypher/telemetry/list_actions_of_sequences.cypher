// name: list_actions_of_sequences
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: sequence_ids list<string>
// param: limit integer — of each sequence, the earliest first
// column: sequence_id string
// column: action map
CYPHER 25
UNWIND $sequence_ids AS sequence_id
CALL (sequence_id) {
  MATCH (action:AgentAction {workspace_id: $workspace_id, sequence_id: sequence_id})
  USING INDEX action:AgentAction(workspace_id, sequence_id, occurred_at)
  WHERE action.occurred_at <= datetime('9999-12-31T00:00:00Z')
    // include: in_scope of action
  RETURN action
  ORDER BY action.workspace_id, action.sequence_id, action.occurred_at, action.position
  LIMIT $limit
}
RETURN sequence_id, action {
  // include: action_fields
} AS action
