// name: count_runs
// mode: read
// returns: one
// param: workspace_id string
// param: since datetime — inclusive
// param: until datetime — exclusive
// param: noted_type string — prefix of the target types of noted actions, which are not runs of agents
// column: sequences integer — with an action in that time
// column: patterns integer — number of patterns promoted now from agents' actions
CYPHER 25
CALL () {
  MATCH (action:AgentAction {workspace_id: $workspace_id})
  WHERE action.occurred_at >= $since AND action.occurred_at < $until
    AND NOT action.node_type STARTS WITH $noted_type
  RETURN count(DISTINCT action.sequence_id) AS sequences
}
CALL () {
  MATCH (pattern:AgentPattern {workspace_id: $workspace_id})
  WHERE NOT pattern.node_type STARTS WITH $noted_type
  RETURN count(CASE pattern.state WHEN 'PROMOTED' THEN 1 END) AS patterns
}
RETURN sequences, patterns
