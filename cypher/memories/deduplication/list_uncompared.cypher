// name: list_uncompared
// mode: read
// returns: many
// unscoped: one batch holds memories of several workspaces; each row is matched with its own
// param: subjects list<map> — {workspace_id, id}
// param: vector_property string
// column: memory map
// column: vector list<float>
// why: what was saved before it could be compared, and has its vector by now
CYPHER 25
UNWIND $subjects AS subject
MATCH (memory:Memory {workspace_id: subject.workspace_id, id: subject.id})
WHERE memory.to_compare AND memory.active AND memory[$vector_property] IS NOT NULL
RETURN
  memory {
    .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
    .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
    .speaker, .timestamp, .created_at, .updated_at, .last_accessed_at, .t_valid, .t_invalid, .expires_at, .deleted_at,
    .old_text, .usage_count, .last_used_at, .enriched, .state, .version, .duplicate_of,
    failure: coalesce(memory.failure, 'linking: ' + memory.linking_failure)
  } AS memory,
  memory[$vector_property] AS vector
