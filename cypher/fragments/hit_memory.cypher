// Properties of a hit; times are text, because the driver needs more time for datetimes than for the rest of the page.
memory {
  .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
  .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
  .user_id, .agent_id,
  .speaker, .old_text, .usage_count, .enriched, .state, .version, .duplicate_of,
  timestamp: toString(memory.timestamp), created_at: toString(memory.created_at),
  updated_at: toString(memory.updated_at), last_accessed_at: toString(memory.last_accessed_at),
  t_valid: toString(memory.t_valid), t_invalid: toString(memory.t_invalid), expires_at: toString(memory.expires_at),
  deleted_at: toString(memory.deleted_at), last_used_at: toString(memory.last_used_at),
  key_is_derived: coalesce(memory.key_is_derived, false),
  failure: coalesce(memory.failure, 'linking: ' + memory.linking_failure)
}
