// name: list_memories_ranked
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// param: rank_by string — 'importance', 'timestamp', 'updated_at', 'usage_count' or 'outcome': the rate at which runs
//   that used it succeeded, smoothed as graph.telemetry.models says, so that one no run has used stands in the middle
// param: after_rank float? — page start: the last row's rank
// param: after_id string?
// param: limit integer
// column: memory map
// column: rank float — sort value; times in epoch microseconds
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
WITH memory, toFloat(CASE $rank_by
  WHEN 'importance' THEN memory.importance
  WHEN 'timestamp' THEN memory.timestamp.epochSeconds * 1000000 + memory.timestamp.microsecond
  WHEN 'updated_at' THEN memory.updated_at.epochSeconds * 1000000 + memory.updated_at.microsecond
  WHEN 'usage_count' THEN memory.usage_count
  WHEN 'outcome' THEN (coalesce(memory.runs_succeeded, 0) + 2.0) / (coalesce(memory.runs, 0) + 4.0)
END) AS rank
WHERE $after_rank IS NULL OR rank < $after_rank OR (rank = $after_rank AND memory.id < $after_id)
ORDER BY rank DESC, memory.id DESC
LIMIT $limit
RETURN
  memory {
    // include: memory_fields
  } AS memory,
  rank
