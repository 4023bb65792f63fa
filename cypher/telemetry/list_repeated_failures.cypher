// name: list_repeated_failures
// mode: read
// returns: many
// param: workspace_id string
// param: attempts list<map> — {action_type, node_type}
// param: least integer — sequences that failed this way
// column: action_type string
// column: node_type string
// column: error_code string — empty: failures without a code
// why: after the loss of attempts, a failure may become a pattern without new evidence
CYPHER 25
UNWIND $attempts AS attempt
MATCH (failure:AgentFailure {workspace_id: $workspace_id, action_type: attempt.action_type,
                             node_type: attempt.node_type})
WHERE failure.error_code >= '' AND failure.sequences >= $least
RETURN failure.action_type AS action_type, failure.node_type AS node_type, failure.error_code AS error_code
