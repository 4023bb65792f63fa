// name: list_memory_outcomes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: min_runs integer — at least 1
// param: is_worst_first boolean
// param: prior_successes float — see graph.telemetry.models.PRIOR_SUCCESSES
// param: prior_runs float
// param: after_rank float? — page start: the last row's rank
// param: after_id string?
// param: limit integer
// param: now datetime
// column: memory_id string
// column: runs integer
// column: succeeded integer
// column: rank float — smoothed success rate; negative if the worst come first
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.runs >= $min_runs
  AND memory.deleted_at IS NULL
  // include: in_scope
  AND coalesce(memory.expires_at > $now, true)
WITH memory, CASE WHEN $is_worst_first THEN -1 ELSE 1 END
             * (memory.runs_succeeded + $prior_successes) / (memory.runs + $prior_runs) AS rank
WHERE $after_rank IS NULL OR rank < $after_rank OR (rank = $after_rank AND memory.id < $after_id)
ORDER BY rank DESC, memory.id DESC
LIMIT $limit
RETURN memory.id AS memory_id, memory.runs AS runs, memory.runs_succeeded AS succeeded, rank
