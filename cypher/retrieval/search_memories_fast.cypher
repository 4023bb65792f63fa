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
// param: list_limit integer — memories of each list
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// param: rrf_k float — constant of reciprocal rank fusion, at least 0
// param: min_score float? — minimum cosine of a hit; null: none
// param: offset integer
// param: limit integer
// param: relation_limit integer — maximum relations per hit, the strongest first
// column: hits list<map> — see graph.retrieval.queries.FastHit; times as text
// column: total integer — number of ranked memories
// column: most_found integer — number of memories that the longer of the two searches found, before the filter
// why: one statement for searches, fusion and page costs half of three; the index rounds vectors, differently per
//   segment, so exact cosines give the same order in a restored store
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
  WITH found, 1 - vector_distance(vector(found[$vector_property], size($vector), FLOAT32),
                                  vector($vector, size($vector), FLOAT32), COSINE) AS cosine
  OPTIONAL MATCH (found:Passage)-[:PART_OF]->(whole:Memory {workspace_id: $workspace_id})
  WITH CASE WHEN found:Memory THEN found ELSE whole END AS memory, max(cosine) AS cosine
  WITH memory, cosine,
       memory.active
       AND coalesce(memory.expires_at > $now, true)
       // include: in_scope
       AND CASE WHEN $filter.admits_all THEN true ELSE true
         // include: memory_filter
       END AS admitted
  ORDER BY admitted DESC, cosine DESC, memory.id
  RETURN collect(CASE WHEN admitted THEN {memory: memory, score: cosine} END)[..$list_limit] AS by_meaning,
         count(*) AS found_by_meaning
}
// include: page_by_ranks
RETURN hits, total,
  CASE WHEN found_by_meaning > found_by_words THEN found_by_meaning ELSE found_by_words END AS most_found
