// name: list_tagged
// mode: read
// returns: many
// param: workspace_id string
// param: tag_query string — over the index memory_tags, with the workspace as a clause
// param: types list<string> — empty: any; the same for the lists below
// param: kinds list<string>
// param: facets list<string>
// param: categories list<string>
// param: source_types list<string>
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
// param: offset integer
// param: limit integer
// column: id string
// why: tags rank nothing, so importance and then the time of the event do (C20)
CYPHER 25
CALL db.index.fulltext.queryNodes('memory_tags', $tag_query) YIELD node AS memory
WHERE memory.workspace_id = $workspace_id
WITH memory
WHERE memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  AND ($types = [] OR memory.type IN $types)
  AND ($kinds = [] OR memory.kind IN $kinds)
  AND ($facets = [] OR memory.facet IN $facets)
  AND ($categories = [] OR memory.category IN $categories)
  AND ($source_types = [] OR memory.source_type IN $source_types)
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
RETURN memory.id AS id
ORDER BY memory.importance DESC, memory.timestamp DESC, memory.id DESC
SKIP $offset
LIMIT $limit
