// name: list_sequences
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: session_id string?
// param: outcome string?
// param: after_time datetime? — page start: the last row's ended_at
// param: after_id string?
// param: limit integer
// column: sequence map
// why: the latest end first; skips sequences without actions, which have no end
CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $workspace_id})
WHERE sequence.ended_at <= coalesce($after_time, datetime('9999-12-31T00:00:00Z'))
  AND ($after_time IS NULL OR sequence.ended_at < $after_time OR sequence.id < $after_id)
  AND ($session_id IS NULL OR sequence.session_id = $session_id)
  AND ($outcome IS NULL OR sequence.outcome = $outcome)
  // include: in_scope of sequence
WITH sequence
ORDER BY sequence.workspace_id DESC, sequence.ended_at DESC, sequence.id DESC
LIMIT $limit
RETURN sequence {
  // include: sequence_fields
} AS sequence
