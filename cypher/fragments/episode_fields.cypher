.id, .workspace_id, .conversation_id, .summary, .model, .source_message_ids, .turn_count, .is_deleted,
.state, .created_at
