// name: list_actions
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: session_id string?
// param: sequence_id string?
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
// why: reads the index on (workspace_id, occurred_at), newest first, which an order by both properties uses
CYPHER 25
MATCH (action:AgentAction {workspace_id: $workspace_id})
WHERE
  // include: action_filter
  // include: in_scope of action
WITH action
ORDER BY action.workspace_id DESC, action.occurred_at DESC, action.id DESC
LIMIT $limit
RETURN action {
  // include: action_fields
} AS action
