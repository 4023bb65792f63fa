// name: list_evidence
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: pattern_ids list<string>
// param: limit integer — of each pattern, the latest first
// column: pattern_id string
// column: sequence map
CYPHER 25
UNWIND $pattern_ids AS pattern_id
MATCH (pattern:AgentFailure {workspace_id: $workspace_id, id: pattern_id})
USING INDEX pattern:AgentFailure(workspace_id, id)
CALL (pattern) {
  MATCH (pattern)-[:EVIDENCED_BY]->(sequence:AgentSequence {workspace_id: $workspace_id})
  WHERE sequence.active
    // include: in_scope of sequence
  RETURN sequence
  ORDER BY sequence.ended_at DESC, sequence.id DESC
  LIMIT $limit
}
RETURN pattern_id, sequence {
  // include: sequence_fields
} AS sequence
