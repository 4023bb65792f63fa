// name: list_actions_of_sequences
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: sequence_ids list<string>
// param: limit integer — of each sequence, the earliest first
// column: sequence_id string
// column: action map
CYPHER 25
UNWIND $sequence_ids AS sequence_id
CALL (sequence_id) {
  MATCH (action:AgentAction {workspace_id: $workspace_id})
  WHERE action.sequence_id = sequence_id
    // include: in_scope of action
  RETURN action
  ORDER BY action.occurred_at, action.position
  LIMIT $limit
}
RETURN sequence_id, action {
  .id, .workspace_id, .session_id, .user_id, .agent_id, .sequence_id, .position, .action_type, .node_type, .target_id,
  .outcome, .error_code, .latency_ms, .occurred_at, .recorded_at
} AS action
