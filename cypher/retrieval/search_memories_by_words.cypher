// name: search_memories_by_words
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
// param: text_limit integer — rows of each full-text search
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// param: limit integer — maximum memories returned
// column: id string
// column: score float — sum of Lucene's scores, at least 0
// why: the fast strategy runs it beside search_memories_by_meaning; neither reads anything that only ranking needs
CYPHER 25
UNWIND $text_queries AS leg
CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
WHERE node.workspace_id = $workspace_id
WITH node AS memory, score
WHERE memory.active
  AND coalesce(memory.expires_at > $now, true)
  // include: in_scope
  AND CASE WHEN $filter.admits_all THEN true ELSE true
    // include: memory_filter
  END
WITH memory.id AS id, sum(score) AS score
RETURN id, score
ORDER BY score DESC, id
LIMIT $limit
