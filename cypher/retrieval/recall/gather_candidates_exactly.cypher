// name: gather_candidates_exactly
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: question map — in one map, since the server plans this again, for 0.7 s, for each set of types of its parameters:
//   text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
//   window_queries list<map> — the same over a memory's text together with the turns around it
//   name_queries list<string> — Lucene over entity_names, with the workspace as a required clause; empty: no names
//   names list<string> — the names that may stand in the query, as they are compared
//   focus_vector list<float>? — of the end of a long query; null for others
//   terms list<string> — stems of the query, each between spaces
// param: named_limit integer — how many entities the query may name
// param: text_limit integer — length of the list of words, before the filter
// param: vector list<float>
// param: vector_property string
// param: pool_limit integer — how many of each list become candidates
// param: long_words integer — a longer text is read part by part for the focus too
// param: now datetime
// param: filter map — as the fragment memory_filter reads it
// param: only_current boolean — without what another one has taken the place of
// column: text_scores list<map> — {id, score} of what the words found
// column: window_scores list<map> — {id, score} of what the words found in the turns around
// column: similarities list<map> — {id, score} of the nearest, (1 + cosine) / 2
// column: mention_scores list<map> — {id, score} of what mentions entities that the query names
// column: named list<map> — {id, name, keys}: these entities, and under which names the query names them
// column: candidates list<map> — see graph.retrieval.recall.candidates.Candidate
// why: where a filter leaves few memories, comparing each of them loses none, as an index asked before the filter would
CYPHER 25
// include: entities_named
CALL (named) {
  // ----- words -----
  UNWIND $question.text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, score AS text_score, null AS window_score, null AS similarity
UNION ALL
  // ----- words of the turns around -----
  UNWIND $question.window_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, null AS text_score, score AS window_score, null AS similarity
UNION ALL
  // ----- meaning: every memory of the workspace, or of the user -----
  UNWIND coalesce($scope.users, [null]) AS user_id
  CALL (user_id) {
    WITH user_id
    WHERE user_id IS NULL
    MATCH (memory:Memory {workspace_id: $workspace_id})
    RETURN memory
  UNION ALL
    WITH user_id
    WHERE user_id IS NOT NULL
    MATCH (memory:Memory {workspace_id: $workspace_id, user_id: user_id})
    USING INDEX memory:Memory(workspace_id, user_id)
    RETURN memory
  }
  RETURN memory, null AS text_score, null AS window_score, 0.0 AS similarity
}
WITH named, memory, sum(text_score) AS text_score, sum(window_score) AS window_score
WHERE memory.active
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
  AND (NOT $only_current OR NOT
    // include: superseded
  )
WITH named, memory, text_score, window_score, vector($vector, size($vector), FLOAT32) AS asked
WITH named, memory, text_score, window_score,
     1 - vector_distance(vector(memory[$vector_property], size($vector), FLOAT32), asked, COSINE) / 2 AS similarity,
     CASE WHEN named = [] THEN 0 ELSE
       size([(memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id}) WHERE entity IN named | 1])
     END AS mention_score
WITH coalesce(head(collect(named)), []) AS named, collect({
  id: memory.id, memory: memory, text_score: text_score, window_score: window_score, similarity: similarity,
  mention_score: toFloat(mention_score)
}) AS found
CALL (found) {
  CALL (found) {
    // include: best_by_words
  UNION
    // include: best_by_meaning
  UNION
    // include: best_by_mention
  }
  RETURN collect(memory) AS base
}
CALL (base, named) {
  WITH base, named, vector($vector, size($vector), FLOAT32) AS asked, vector($question.focus_vector, size($vector), FLOAT32) AS focused
  CALL (base) {
    UNWIND base AS memory
    RETURN memory
  UNION
    // include: best_by_change
  }
  // include: cosines_of_candidate
       // include: turns_beside
  RETURN collect({
      // include: candidate_place
      // include: candidate_cosines
      matched: [term IN $question.terms WHERE memory.terms CONTAINS term],
      has_cjk:
        // include: text_has_cjk
      ,
      // include: candidate_traits
    }) AS candidates,
       collect(memory.id) AS candidate_ids
}
RETURN
  [row IN found WHERE row.text_score > 0 | {id: row.id, score: row.text_score}] AS text_scores,
  [row IN found WHERE row.window_score > 0 | {id: row.id, score: row.window_score}] AS window_scores,
  [row IN found WHERE row.similarity IS NOT NULL AND row.id IN candidate_ids
   | {id: row.id, score: row.similarity}] AS similarities,
  [row IN found WHERE row.mention_score > 0 | {id: row.id, score: row.mention_score}] AS mention_scores,
  [entity IN named | {id: entity.id, name: entity.name, keys: [name IN $question.names WHERE name IN entity.name_keys]}] AS named,
  candidates
