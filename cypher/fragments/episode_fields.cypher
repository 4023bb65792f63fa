.id, .workspace_id, .conversation_id, .summary, .model, .fallback, .source_message_ids, .turn_count, .is_deleted,
.state, .created_at
