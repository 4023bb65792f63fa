.id, .workspace_id, .conversation_id, .language, .handoff, .summarised_by, .model, .fallback, .message_count,
.created_at, .updated_at
