// name: list_action_groups
// mode: read
// returns: many
// param: workspace_id string
// param: since datetime — inclusive
// param: until datetime — exclusive
// column: action_type string
// column: node_type string
// column: outcome string
// column: error_code string?
// column: actions integer
// column: timed integer — of these, those with a latency
// column: latency_ms float — their sum
// why: every metric is a sum over these groups, so that a day is read once for all metrics
CYPHER 25
MATCH (action:AgentAction {workspace_id: $workspace_id})
WHERE action.occurred_at >= $since AND action.occurred_at < $until
RETURN action.action_type AS action_type, action.node_type AS node_type, action.outcome AS outcome,
       action.error_code AS error_code, count(*) AS actions, count(action.latency_ms) AS timed,
       toFloat(sum(action.latency_ms)) AS latency_ms
