// name: pattern_evidence
// mode: read
// returns: many
// param: workspace_id string
// param: id string — a pattern
// column: evidence path
// column: target path?
// why: shows the sessions behind a pattern, with their failed actions and targets
CYPHER 25
MATCH (pattern:AgentPattern {workspace_id: $workspace_id, id: $id})
CALL (pattern) {
  MATCH (pattern)-[:EVIDENCED_BY]->(sequence:AgentSequence {workspace_id: $workspace_id})
  RETURN sequence
  ORDER BY sequence.ended_at DESC
  LIMIT 25
}
CALL (pattern, sequence) {
  MATCH evidence = (pattern)-[:EVIDENCED_BY]->(sequence)-[:DID]->(action:AgentAction {workspace_id: $workspace_id})
  WHERE action.action_type = pattern.action_type AND action.node_type = pattern.node_type
    AND action.error_code = pattern.error_code
  RETURN evidence, action
  LIMIT 10
}
CALL (action) {
  OPTIONAL MATCH target = (action)-[:TARGETED]->({workspace_id: $workspace_id})
  RETURN target
  LIMIT 1
}
RETURN evidence, target
