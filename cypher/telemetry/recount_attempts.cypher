// name: recount_attempts
// mode: write
// returns: many
// param: workspace_id string
// param: attempts list<map> — {action_type, node_type}, in the same order in every transaction
// column: action_type string
// column: node_type string
// column: error_codes list<string> — of the ways to fail that were counted with it
// why: writers other than the tally count evidence by its edges, under the same locks
CYPHER 25
UNWIND $attempts AS row
MATCH (tally:AgentTally {workspace_id: $workspace_id, action_type: row.action_type, node_type: row.node_type})
// include: lock of tally
WITH tally
SET tally.sequences = COUNT { MATCH (tally)<-[:TRIED]-(:AgentSequence {workspace_id: $workspace_id}) }
WITH tally
CALL (tally) {
  MATCH (failure:AgentFailure {workspace_id: $workspace_id, action_type: tally.action_type, node_type: tally.node_type})
  WHERE failure.error_code >= ''
  WITH failure
  ORDER BY failure.error_code
  // include: lock of failure
  WITH failure
  SET failure.sequences = COUNT { MATCH (failure)-[:EVIDENCED_BY]->(:AgentSequence {workspace_id: $workspace_id}) }
  RETURN collect(failure.error_code) AS error_codes
}
RETURN tally.action_type AS action_type, tally.node_type AS node_type, error_codes
