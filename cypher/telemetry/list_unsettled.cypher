// name: list_unsettled
// mode: read
// returns: many
// param: workspace_id string
// param: attempts list<map> — {action_type, node_type, error_codes: of failures that may have become patterns}
// column: id string
// column: state string? — null: never promoted
// column: sequences integer
// column: attempts integer
// column: settled_attempts integer? — as last settled
// column: settled_confidence float?
// why: an attempt changes the confidence of every pattern of its kind; another failure can become a pattern only by its
//   own sequence, or by the loss of attempts
CYPHER 25
UNWIND $attempts AS attempt
MATCH (tally:AgentTally {workspace_id: $workspace_id, action_type: attempt.action_type, node_type: attempt.node_type})
CALL (attempt) {
  MATCH (failure:AgentPattern {workspace_id: $workspace_id, action_type: attempt.action_type,
                               node_type: attempt.node_type})
  RETURN failure
  UNION
  UNWIND attempt.error_codes AS error_code
  MATCH (failure:AgentFailure {workspace_id: $workspace_id, action_type: attempt.action_type,
                               node_type: attempt.node_type, error_code: error_code})
  RETURN failure
}
RETURN failure.id AS id, failure.state AS state, failure.sequences AS sequences, tally.sequences AS attempts,
       failure.attempts AS settled_attempts, failure.confidence AS settled_confidence
