// name: gather_candidates_exactly
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: query map — one map: the server plans the statement, in 0.7 s, for each combination of parameter types:
//   text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
//   window_queries list<map> — the same for the index of windows: a memory's text and the turns around it
//   name_queries list<string> — Lucene queries of entity_names, with the workspace as a required clause; empty: no names
//   names list<string> — possible names in the query, normalised
//   focus_vector list<float>? — vector of the query's focus; null: it has none
//   part_vectors list<list<float>> — vectors of the query's parts; empty: it has one topic
//   terms list<string> — stems of the query, each between spaces
//   statement_words integer — also return the text of candidates of at most so many words that are no turns; 0: the query is no request
//   asks_for_slot boolean — also return the slots of each candidate, and their owner
// param: named_limit integer — maximum entities that the query names
// param: text_limit integer — rows of each full-text search, before the filter
// param: vector list<float>
// param: vector_property string
// param: pool_limit integer — maximum candidates from each list
// param: long_words integer — length in words from which a text's passages are compared with the focus too
// param: now datetime
// param: filter map — in the form that the fragment memory_filter reads
// param: only_current boolean — exclude superseded memories
// column: text_scores list<map> — {id, score} of memories found by words
// column: window_scores list<map> — {id, score} of memories found by the words of their windows
// column: similarities list<map> — {id, score} of the nearest memories, score as (1 + cosine) / 2
// column: mention_scores list<map> — {id, score} of memories that mention entities of the query
// column: named list<map> — {id, name, keys} of these entities; keys are their names in the query
// column: candidates list<map> — see graph.retrieval.recall.candidates.Candidate
// why: compares every memory if few match the filter: an index search before the filter would miss some
CYPHER 25
// include: entities_named
CALL (named) {
  // ----- words -----
  UNWIND $query.text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, score AS text_score, null AS window_score, null AS similarity
UNION ALL
  // ----- words of the windows -----
  UNWIND $query.window_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, null AS text_score, score AS window_score, null AS similarity
UNION ALL
  // ----- meaning: every memory of the workspace or user -----
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
WITH named, found, COLLECT {
    // include: best_by_words
  UNION
    // include: best_by_meaning
  UNION
    // include: best_by_mention
  } AS base
CALL (base, named) {
  WITH base, named, vector($vector, size($vector), FLOAT32) AS asked, vector($query.focus_vector, size($vector), FLOAT32) AS focused,
       [part IN $query.part_vectors | vector(part, size($vector), FLOAT32)] AS asked_parts
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
      matched: [term IN $query.terms WHERE memory.terms CONTAINS term],
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
  [entity IN named | {id: entity.id, name: entity.name, keys: [name IN $query.names WHERE name IN entity.name_keys]}] AS named,
  candidates
