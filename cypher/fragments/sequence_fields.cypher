.id, .workspace_id, .session_id, .user_id, .agent_id, intent_summary: sequence.search_text, .outcome,
.action_count, .success_count, .error_count, .dead_end_count, .total_latency_ms, .started_at, .ended_at,
.created_at, .updated_at
