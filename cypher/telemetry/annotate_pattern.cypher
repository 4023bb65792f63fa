// name: annotate_pattern
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: properties map — note, suppressed: only the changed values
// param: now datetime
// column: pattern map
CYPHER 25
MATCH (pattern:AgentPattern {workspace_id: $workspace_id, id: $id})
SET pattern += $properties
SET pattern.updated_at = $now
RETURN pattern {
  .id, .workspace_id, .action_type, .node_type, .error_code, .state, .sequences, .attempts, .confidence, .note,
  .suppressed, .first_seen_at, .last_seen_at, .promoted_at, .demoted_at, .updated_at
} AS pattern
