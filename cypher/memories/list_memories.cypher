// name: list_memories
// mode: read
// returns: many
// param: workspace_id string
// param: types list<string> — empty: any; the same for the lists below
// param: kinds list<string>
// param: facets list<string>
// param: categories list<string>
// param: source_types list<string>
// param: any_tags list<string> — prefixes of which one must match
// param: all_tags list<string> — prefixes that must all match
// param: min_importance float?
// param: min_confidence float?
// param: conversation_id string?
// param: session_id string?
// param: api_key_id string?
// param: retained_since datetime? — rows of retained_source_types created before are left out
// param: retained_source_types list<string> — empty: rows of every source
// param: since datetime? — of the event time, inclusive
// param: until datetime?
// param: valid_at datetime? — only memories valid then
// param: now datetime — expired memories are left out
// param: text string? — words the content must contain, case-insensitive
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: memory map
// why: newest first out of the index on (workspace_id, created_at), which an order by both of them uses; id breaks
//   ties, so no row is shown twice or missed
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR memory.created_at < $after_created OR memory.id < $after_id)
  AND memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  AND ($text IS NULL OR toLower(memory.content) CONTAINS $text)
  AND ($types = [] OR memory.type IN $types)
  AND ($kinds = [] OR memory.kind IN $kinds)
  AND ($facets = [] OR memory.facet IN $facets)
  AND ($categories = [] OR memory.category IN $categories)
  AND ($source_types = [] OR memory.source_type IN $source_types)
  AND ($any_tags = [] OR any(tag IN $any_tags WHERE tag IN memory.tag_prefixes))
  AND all(tag IN $all_tags WHERE tag IN memory.tag_prefixes)
  AND ($min_importance IS NULL OR memory.importance >= $min_importance)
  AND ($min_confidence IS NULL OR memory.confidence >= $min_confidence)
  AND ($conversation_id IS NULL OR memory.source_conversation_id = $conversation_id)
  AND ($session_id IS NULL OR memory.session_id = $session_id)
  AND ($api_key_id IS NULL OR memory.api_key_id = $api_key_id)
  AND ($retained_since IS NULL OR memory.created_at >= $retained_since
       OR ($retained_source_types <> [] AND NOT memory.source_type IN $retained_source_types))
  AND ($since IS NULL OR memory.timestamp >= $since)
  AND ($until IS NULL OR memory.timestamp <= $until)
  AND ($valid_at IS NULL OR (coalesce(memory.t_valid, $valid_at) <= $valid_at
                             AND coalesce(memory.t_invalid > $valid_at, true)))
WITH memory
ORDER BY memory.workspace_id DESC, memory.created_at DESC, memory.id DESC
LIMIT $limit
RETURN
  memory {
    .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
    .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
    .speaker, .timestamp, .created_at, .updated_at, .last_accessed_at, .t_valid, .t_invalid, .expires_at, .deleted_at,
    .old_text, .usage_count, .last_used_at, .enriched, .state, .version, .duplicate_of,
    failure: coalesce(memory.failure, 'linking: ' + memory.linking_failure)
  } AS memory
