.id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
.confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
.user_id, .agent_id,
.speaker, .timestamp, .created_at, .updated_at, .last_accessed_at, .t_valid, .t_invalid, .expires_at, .deleted_at,
.old_text, .usage_count, .last_used_at, .enriched, .state, .version, .duplicate_of,
failure: coalesce(memory.failure, 'linking: ' + memory.linking_failure),
key_is_derived: coalesce(memory.key_is_derived, false)
