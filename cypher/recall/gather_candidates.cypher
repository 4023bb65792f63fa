// name: gather_candidates
// mode: read
// returns: one
// param: workspace_id string
// param: text_queries list<map> — {index, query}: Lucene queries with the workspace as a required clause
// param: text_limit integer — length of the list of text scores
// param: vector list<float>? — null: keywords only
// param: vector_property string
// param: vector_limit integer
// param: pool_limit integer — how many of each list become candidates
// param: terms list<string> — stems of the query, each between spaces
// param: now datetime
// param: valid_at datetime? — only memories valid then
// column: text_scores list<map> — {id, score}, best first
// column: vector_ids list<string> — nearest first
// column: candidates list<map> — see graph.recall.candidates.Candidate
// column: turn_counts list<map> — {turn_scope, size} of the sessions the candidates stand in
// why: both lists are cut to the workspace inside their index, so a large neighbour cannot starve a small one
CYPHER 25
// ----- words -----
CALL () {
  UNWIND $text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WITH node AS memory, sum(score) AS score
  WHERE memory.workspace_id = $workspace_id AND memory.active
    AND (memory.expires_at IS NULL OR memory.expires_at > $now)
    AND ($valid_at IS NULL OR (coalesce(memory.t_valid, $valid_at) <= $valid_at
                               AND (memory.t_invalid IS NULL OR memory.t_invalid > $valid_at)))
  WITH memory, score
  ORDER BY score DESC
  LIMIT $text_limit
  RETURN collect({memory: memory, score: score}) AS by_text
}
// ----- meaning -----
CALL () {
  MATCH (found:Memory|Passage)
  SEARCH found IN (
    VECTOR INDEX vectors_a FOR $vector
    WHERE found.workspace_id = $workspace_id AND found.active = true AND found.search_kind IN ['memory', 'passage']
    LIMIT $vector_limit
  ) SCORE AS similarity
  WITH found, similarity
  OPTIONAL MATCH (found)-[:PART_OF]->(whole:Memory {workspace_id: $workspace_id})
  WITH coalesce(whole, found) AS memory, max(similarity) AS similarity
  WHERE (memory.expires_at IS NULL OR memory.expires_at > $now)
    AND ($valid_at IS NULL OR (coalesce(memory.t_valid, $valid_at) <= $valid_at
                               AND (memory.t_invalid IS NULL OR memory.t_invalid > $valid_at)))
  WITH memory
  ORDER BY similarity DESC
  LIMIT $pool_limit
  RETURN collect(memory) AS by_meaning
}
// ----- their neighbours in the conversation -----
CALL (by_text, by_meaning) {
  UNWIND by_text[..$pool_limit] AS row
  RETURN row.memory AS memory
UNION
  UNWIND by_meaning AS memory
  RETURN memory
}
WITH by_text, by_meaning, collect(memory) AS base
CALL (base) {
  UNWIND base AS memory
  RETURN memory
UNION
  UNWIND base AS found
  MATCH (found)-[:NEXT]-(memory:Memory {workspace_id: $workspace_id})
  WHERE memory.active AND (memory.expires_at IS NULL OR memory.expires_at > $now)
    AND ($valid_at IS NULL OR (coalesce(memory.t_valid, $valid_at) <= $valid_at
                               AND (memory.t_invalid IS NULL OR memory.t_invalid > $valid_at)))
  RETURN memory
}
WITH by_text, by_meaning, collect(memory) AS pool
CALL (pool) {
  UNWIND pool AS memory
  RETURN collect({
    id: memory.id, turn_scope: memory.turn_scope, position: memory.position,
    previous_id: head([(before:Memory {workspace_id: $workspace_id})-[:NEXT]->(memory) | before.id]),
    next_id: head([(memory)-[:NEXT]->(after:Memory {workspace_id: $workspace_id}) | after.id]),
    cosine: CASE WHEN $vector IS NULL THEN null
                 ELSE 2 * vector.similarity.cosine(memory[$vector_property], $vector) - 1 END,
    matched: [term IN $terms WHERE memory.terms CONTAINS term],
    words: memory.words, is_question: memory.is_question, first_person: memory.first_person,
    has_time: memory.has_time, speaker: memory.speaker, at: memory.timestamp.epochSeconds,
    importance: memory.importance, usage_count: memory.usage_count,
    superseded: EXISTS { (memory)-[:INVALIDATED_BY|EVOLVED_INTO]->(:Memory {workspace_id: $workspace_id}) }
  }) AS candidates, collect(DISTINCT memory.turn_scope) AS scopes
}
CALL (scopes) {
  UNWIND scopes AS scope
  CALL (scope) {
    MATCH (turn:Memory {workspace_id: $workspace_id, turn_scope: scope})
    WHERE turn.position >= 0
    RETURN turn.position + 1 AS size
    ORDER BY turn.position DESC
    LIMIT 1
  }
  RETURN collect({turn_scope: scope, size: size}) AS turn_counts
}
RETURN
  [row IN by_text | {id: row.memory.id, score: row.score}] AS text_scores,
  [memory IN by_meaning | memory.id] AS vector_ids,
  candidates,
  turn_counts
