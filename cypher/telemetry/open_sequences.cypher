// name: open_sequences
// mode: write
// returns: many
// param: workspace_id string
// param: sessions list<map> — {session_id, user_id, and for a new one agent_id, search_user, id}, in one order for all
// param: now datetime
// column: sequence map — see graph.telemetry.sequencing.OpenSequence
// why: locks each sequence, so that positions and counts have no gaps; returns no row while memory is off
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
UNWIND $sessions AS row
MERGE (sequence:AgentSequence {workspace_id: $workspace_id, user_id: row.user_id, session_id: row.session_id})
  ON CREATE SET sequence:_mem, sequence:Searchable, sequence.id = row.id, sequence.agent_id = row.agent_id,
                sequence.search_user = row.search_user,
                sequence.active = false,
                sequence.search_kind = 'sequence', sequence.revision = 0, sequence.search_text = '',
                sequence.search_keys = '', sequence.state = 'STORED', sequence.steps = [], sequence.action_count = 0,
                sequence.success_count = 0, sequence.error_count = 0, sequence.dead_end_count = 0,
                sequence.total_latency_ms = 0.0, sequence.tallied_actions = 0, sequence.created_at = $now,
                sequence.updated_at = $now
// include: lock of sequence
WITH sequence
RETURN sequence {
  .id, .session_id, .user_id, .search_text, .revision, .steps, .outcome, .action_count, .success_count, .error_count,
  .dead_end_count, .total_latency_ms, .started_at, .ended_at
} AS sequence
