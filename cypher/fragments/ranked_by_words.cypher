// The best memories by words, best first, with Lucene's scores, and the number of memories found before the filter.
CALL () {
  UNWIND $text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $search_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  WITH node AS memory, sum(score) AS score
  WITH memory, score,
       memory.active
       AND coalesce(memory.expires_at > $now, true)
       // include: in_scope
       AND CASE WHEN $filter.admits_all THEN true ELSE true
         // include: memory_filter
       END AS admitted
  ORDER BY admitted DESC, score DESC, memory.id
  RETURN collect(CASE WHEN admitted THEN {memory: memory, score: score} END)[..$list_limit] AS by_words,
         count(*) AS found_by_words
}
