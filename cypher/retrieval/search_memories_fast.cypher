// name: search_memories_fast
// mode: read
// returns: one
// index: vectors_a
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
// param: vector list<float>
// param: vector_property string
// param: search_limit integer — rows of each search, before the filter
// param: list_limit integer — memories by words, and nearest memories or passages
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// param: rrf_k float — constant of reciprocal rank fusion, at least 0
// param: min_score float? — minimum cosine of a hit; null: none
// param: offset integer
// param: limit integer
// param: relation_limit integer — maximum relations per hit, the strongest first
// column: hits list<map> — see graph.retrieval.queries.FastHit; times as text
// column: total integer — number of ranked memories
// column: is_incomplete boolean — a search reached its limit, and the filter left fewer than a list holds
// why: one statement for searches, fusion and page costs half of three; exact cosines order the nearest, because the index
//   rounds vectors
CYPHER 25
// include: ranked_by_words
CALL () {
  MATCH (found:Memory|Passage)
  SEARCH found IN (
    VECTOR INDEX vectors_a FOR $vector
    WHERE found.workspace_id = $workspace_id AND found.active = true AND found.search_kind IN ['memory', 'passage']
      AND found.user_id IN $scope.users
    LIMIT $search_limit
  ) SCORE AS rough
  OPTIONAL MATCH (found:Passage)-[:PART_OF]->(whole:Memory {workspace_id: $workspace_id})
  WITH found, rough, CASE WHEN found:Memory THEN found ELSE whole END AS memory
  WITH found, rough, memory,
       memory.active
       AND coalesce(memory.expires_at > $now, true)
       // include: in_scope
       AND CASE WHEN $filter.admits_all THEN true ELSE true
         // include: memory_filter
       END AS admitted
  ORDER BY admitted DESC, rough DESC, found.id
  WITH collect(CASE WHEN admitted THEN {memory: memory, found: found} END)[..$list_limit] AS nearest,
       count(*) >= $search_limit AS reached_limit
  CALL (nearest) {
    UNWIND nearest AS row
    WITH row.memory AS memory,
         max(1 - vector_distance(vector(row.found[$vector_property], size($vector), FLOAT32),
                                 vector($vector, size($vector), FLOAT32), COSINE)) AS cosine
    ORDER BY cosine DESC, memory.id
    RETURN collect({memory: memory, score: cosine}) AS by_meaning
  }
  RETURN by_meaning, reached_limit AND size(nearest) < $list_limit AS meaning_incomplete
}
// include: page_by_ranks
RETURN hits, total, words_incomplete OR meaning_incomplete AS is_incomplete
