// name: agent_patterns
// mode: read
// returns: many
// param: workspace_id string
// column: evidence path
// column: confidence float
// why: patterns that agents are warned of, the most confident first, with some of their sessions;
//   pattern_evidence opens one
CYPHER 25
MATCH (pattern:AgentPattern {workspace_id: $workspace_id})
WHERE pattern.state = 'PROMOTED' AND NOT pattern.suppressed
WITH pattern
ORDER BY pattern.confidence DESC, pattern.sequences DESC
LIMIT 25
CALL (pattern) {
  MATCH evidence = (pattern)-[:EVIDENCED_BY]->(:AgentSequence {workspace_id: $workspace_id})
  RETURN evidence
  LIMIT 5
}
RETURN evidence, pattern.confidence AS confidence
