// name: list_memories_ranked
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
// param: now datetime
// param: text string?
// param: rank_by string — 'importance', 'timestamp', 'updated_at', 'usage_count' or 'outcome': the rate at which runs
//   that used it succeeded, smoothed as graph.telemetry.outcomes.models says, so that one no run has used stands in the middle
// param: after_rank float? — page start: the last row's rank
// param: after_id string?
// param: limit integer
// column: memory map
// column: rank float — what the page is ordered by, times as epoch microseconds
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.deleted_at IS NULL
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
WITH memory, toFloat(CASE $rank_by
  WHEN 'importance' THEN memory.importance
  WHEN 'timestamp' THEN memory.timestamp.epochSeconds * 1000000 + memory.timestamp.microsecond
  WHEN 'updated_at' THEN memory.updated_at.epochSeconds * 1000000 + memory.updated_at.microsecond
  WHEN 'usage_count' THEN memory.usage_count
  WHEN 'outcome' THEN (coalesce(memory.runs_succeeded, 0) + 2.0) / (coalesce(memory.runs, 0) + 4.0)
END) AS rank
WHERE $after_rank IS NULL OR rank < $after_rank OR (rank = $after_rank AND memory.id < $after_id)
ORDER BY rank DESC, memory.id DESC
LIMIT $limit
RETURN
  memory {
    .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
    .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
    .speaker, .timestamp, .created_at, .updated_at, .last_accessed_at, .t_valid, .t_invalid, .expires_at, .deleted_at,
    .old_text, .usage_count, .last_used_at, .enriched, .state, .version, .duplicate_of,
    failure: coalesce(memory.failure, 'linking: ' + memory.linking_failure)
  } AS memory,
  rank
