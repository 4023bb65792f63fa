.id, .workspace_id, .session_id, .user_id, .agent_id, .sequence_id, .position, .action_type, .node_type, .target_id,
.outcome, .error_code, .latency_ms, .occurred_at, .recorded_at
