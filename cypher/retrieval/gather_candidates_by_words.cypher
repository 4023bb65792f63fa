// name: gather_candidates_by_words
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: query map — one map: the server plans the statement, in 0.7 s, for each combination of parameter types:
//   text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
//   window_queries list<map> — the same for the index of windows: a memory's text and the turns around it
//   name_queries list<string> — Lucene queries of entity_names, with the workspace as a required clause; empty: no names
//   names list<string> — possible names in the query, normalised
//   terms list<string> — stems of the query, each between spaces
//   statement_words integer — also return the text of candidates of at most so many words that are no turns; 0: the query is no request
//   asks_for_slot boolean — also return the slots of each candidate, and their owner
// param: named_limit integer — maximum entities that the query names
// param: examined integer — maximum mentions read per entity, which bounds the cost of hubs
// param: mention_limit integer — maximum candidates per entity
// param: text_limit integer — rows of each full-text search
// param: pool_limit integer — maximum candidates from each list
// param: with_neighbours boolean — also take adjacent turns as candidates
// param: now datetime
// param: filter map — in the form that the fragment memory_filter reads
// param: only_current boolean — exclude superseded memories
// column: text_scores list<map> — {id, score} of memories found by words
// column: window_scores list<map> — {id, score} of memories found by the words of their windows
// column: mention_scores list<map> — {id, score} of memories that mention entities of the query
// column: named list<map> — {id, name, keys} of these entities; keys are their names in the query
// column: candidates list<map> — see graph.retrieval.recall.candidates.Candidate
// why: a statement that names a vector index fails if the index is missing, even without searching it; hence recall
//   without vectors has its own statement
CYPHER 25
// include: entities_named
CALL (named) {
  // ----- words -----
  UNWIND $query.text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, score AS text_score, null AS window_score, null AS mention_score
UNION ALL
  // ----- words of the windows -----
  UNWIND $query.window_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, null AS text_score, score AS window_score, null AS mention_score
UNION ALL
  // ----- mentions: the fewer memories mention an entity, the higher each one scores -----
  UNWIND named AS entity
  CALL (entity) {
    MATCH (entity)<-[:MENTIONS]-(memory:Memory {workspace_id: $workspace_id})
    WITH memory
    LIMIT $examined
    WITH memory
    WHERE memory.active
      // include: in_scope
    WITH memory
    LIMIT $mention_limit
    RETURN collect(memory) AS mentioning
  }
  UNWIND mentioning AS memory
  RETURN memory, null AS text_score, null AS window_score, 1.0 / size(mentioning) AS mention_score
}
WITH named, memory, sum(text_score) AS text_score, sum(window_score) AS window_score,
     sum(mention_score) AS mention_score
WHERE memory.active
  AND coalesce(memory.expires_at > $now, true)
  // include: in_scope
  AND CASE WHEN $filter.admits_all THEN true ELSE true
    // include: memory_filter
  END
  AND (NOT $only_current OR NOT
    // include: superseded
  )
WITH coalesce(head(collect(named)), []) AS named, collect({
  id: memory.id, memory: memory, text_score: text_score, window_score: window_score, mention_score: mention_score
}) AS found
// ----- the best of each list, and adjacent turns -----
WITH named, found, COLLECT {
    // include: best_by_words
  UNION
    // include: best_by_mention
  } AS base
CALL (base, named) {
  CALL (base) {
    UNWIND base AS memory
    RETURN memory
  UNION
    // include: best_by_change
  UNION
    UNWIND CASE WHEN $with_neighbours THEN base ELSE [] END AS beside
    MATCH (beside)-[:NEXT]-(memory:Memory {workspace_id: $workspace_id})
    WHERE memory.active
      AND coalesce(memory.expires_at > $now, true)
      // include: in_scope
      // include: valid_at
    RETURN memory
  }
  WITH memory, named,
       // include: turns_beside
  RETURN collect({
      // include: candidate_place
      cosine: null, part_cosine: null, focus_cosine: null,
      matched: [term IN $query.terms WHERE memory.terms CONTAINS term],
      has_cjk:
        // include: text_has_cjk
      ,
      // include: candidate_traits
    }) AS candidates
}
RETURN
  [row IN found WHERE row.text_score > 0 | {id: row.id, score: row.text_score}] AS text_scores,
  [row IN found WHERE row.window_score > 0 | {id: row.id, score: row.window_score}] AS window_scores,
  [row IN found WHERE row.mention_score > 0 | {id: row.id, score: row.mention_score}] AS mention_scores,
  [entity IN named | {id: entity.id, name: entity.name, keys: [name IN $query.names WHERE name IN entity.name_keys]}] AS named,
  candidates
