// The best memories by words, best first, with Lucene's scores; and whether a search reached its limit, although the list
// has room for more.
CALL () {
  UNWIND $text_queries AS leg
  CALL (leg) {
    CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $search_limit}) YIELD node, score
    WHERE node.workspace_id = $workspace_id
    RETURN collect({memory: node, score: score}) AS found
  }
  UNWIND found AS row
  WITH row.memory AS memory, sum(row.score) AS score, max(size(found)) AS rows
  WITH memory, score, rows,
       memory.active
       AND coalesce(memory.expires_at > $now, true)
       // include: in_scope
       AND CASE WHEN $filter.admits_all THEN true ELSE true
         // include: memory_filter
       END AS admitted
  ORDER BY admitted DESC, score DESC, memory.id
  WITH collect(CASE WHEN admitted THEN {memory: memory, score: score} END)[..$list_limit] AS by_words,
       coalesce(max(rows), 0) >= $search_limit AS reached_limit
  RETURN by_words, reached_limit AND size(by_words) < $list_limit AS words_incomplete
}
