.id, .kind, .subject_kind, .subject_id, .cause_id, .other_ids, .user_id, .agent_id, .rule, .words, .conversation_id,
.message_id, .version, .before, .after, .count, .is_final, .job, .created_at, .undone_at
