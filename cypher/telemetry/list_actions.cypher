// name: list_actions
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: session_id string?
// param: action_type string?
// param: node_type string?
// param: outcome string?
// param: error_code string?
// param: since datetime? — inclusive
// param: until datetime? — exclusive
// param: after_time datetime? — page start: the last row's occurred_at
// param: after_id string?
// param: limit integer
// column: action map
// why: newest first out of the index on (workspace_id, occurred_at), which an order by both of them uses
CYPHER 25
MATCH (action:AgentAction {workspace_id: $workspace_id})
WHERE action.occurred_at <= coalesce($after_time, datetime('9999-12-31T00:00:00Z'))
  AND ($after_time IS NULL OR action.occurred_at < $after_time OR action.id < $after_id)
  AND ($session_id IS NULL OR action.session_id = $session_id)
  AND ($action_type IS NULL OR action.action_type = $action_type)
  AND ($node_type IS NULL OR action.node_type = $node_type)
  AND ($outcome IS NULL OR action.outcome = $outcome)
  AND ($error_code IS NULL OR action.error_code = $error_code)
  AND ($since IS NULL OR action.occurred_at >= $since)
  AND ($until IS NULL OR action.occurred_at < $until)
  // include: in_scope of action
WITH action
ORDER BY action.workspace_id DESC, action.occurred_at DESC, action.id DESC
LIMIT $limit
RETURN action {
  .id, .workspace_id, .session_id, .user_id, .agent_id, .sequence_id, .position, .action_type, .node_type, .target_id,
  .outcome, .error_code, .latency_ms, .occurred_at, .recorded_at
} AS action
