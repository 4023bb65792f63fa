// name: list_patterns_of_sequences
// mode: read
// returns: many
// param: workspace_id string
// param: sequence_ids list<string> — the most wanted first
// param: limit integer
// column: pattern map
// why: the rank of a pattern for a query is that of its best matching run
CYPHER 25
UNWIND range(0, size($sequence_ids) - 1) AS place
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: $sequence_ids[place]})
MATCH (sequence)<-[:EVIDENCED_BY]-(pattern:AgentPattern {workspace_id: $workspace_id})
WHERE pattern.state = 'PROMOTED'
WITH pattern, min(place) AS nearest
ORDER BY nearest, pattern.confidence DESC, pattern.id DESC
LIMIT $limit
RETURN pattern {
  .id, .workspace_id, .action_type, .node_type, .error_code, .state, .sequences, .attempts, .confidence, .note,
  .suppressed, .first_seen_at, .last_seen_at, .promoted_at, .demoted_at, .updated_at
} AS pattern
