// name: count_memories
// mode: read
// returns: one
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
// column: count integer
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
RETURN count(memory) AS count
