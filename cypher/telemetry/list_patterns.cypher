// name: list_patterns
// mode: read
// returns: many
// param: workspace_id string
// param: node_types list<string> — in lower case, since callers write them as they like; empty: any
// param: action_type string?
// param: error_code string? — empty: failures without a code
// param: suppressed boolean?
// param: states list<string>
// param: after_rank float? — page start: the last row's rank
// param: after_id string?
// param: limit integer
// column: pattern map
// column: rank float — confidence, and between equal ones a trace of how much evidence there is
// why: reads all patterns of a workspace, because there are few
CYPHER 25
MATCH (pattern:AgentPattern {workspace_id: $workspace_id})
WHERE ($node_types = [] OR toLower(pattern.node_type) IN $node_types)
  AND ($action_type IS NULL OR pattern.action_type = $action_type)
  AND ($error_code IS NULL OR pattern.error_code = $error_code)
  AND ($suppressed IS NULL OR pattern.suppressed = $suppressed)
  AND pattern.state IN $states
WITH pattern, pattern.confidence + pattern.sequences / (1e6 * (pattern.sequences + 1)) AS rank
WHERE $after_rank IS NULL OR rank < $after_rank OR (rank = $after_rank AND pattern.id < $after_id)
ORDER BY rank DESC, pattern.id DESC
LIMIT $limit
RETURN pattern {
  .id, .workspace_id, .action_type, .node_type, .error_code, .state, .sequences, .attempts, .confidence, .note,
  .suppressed, .first_seen_at, .last_seen_at, .promoted_at, .demoted_at, .updated_at
} AS pattern, rank
