// name: gather_candidates_by_words
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: question map — in one map, since the server plans this again, for 0.7 s, for each set of types of its parameters:
//   text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
//   window_queries list<map> — the same over a memory's text together with the turns around it
//   name_queries list<string> — Lucene over entity_names, with the workspace as a required clause; empty: no names
//   names list<string> — the names that may stand in the query, as they are compared
//   terms list<string> — stems of the query, each between spaces
// param: named_limit integer — how many entities the query may name
// param: examined integer — how many mentions of one of them are looked at, so that a hub costs no more
// param: mention_limit integer — how many memories that mention it become candidates
// param: text_limit integer — length of the list of words
// param: pool_limit integer — how many of each list become candidates
// param: with_neighbours boolean — whether the turns beside them become candidates too
// param: now datetime
// param: filter map — as the fragment memory_filter reads it
// param: only_current boolean — without what another one has taken the place of
// column: text_scores list<map> — {id, score} of what the words found
// column: window_scores list<map> — {id, score} of what the words found in the turns around
// column: mention_scores list<map> — {id, score} of what mentions entities that the query names
// column: named list<map> — {id, name, keys}: these entities, and under which names the query names them
// column: candidates list<map> — see graph.retrieval.recall.candidates.Candidate
// why: a statement that names a vector index fails where there is none, even if it would not search it; so recall
//   without vectors has one of its own
CYPHER 25
// include: entities_named
CALL (named) {
  // ----- words -----
  UNWIND $question.text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, score AS text_score, null AS window_score, null AS mention_score
UNION ALL
  // ----- words of the turns around -----
  UNWIND $question.window_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, null AS text_score, score AS window_score, null AS mention_score
UNION ALL
  // ----- what mentions them: the fewer mention an entity, the more each of them says -----
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
// ----- the best of each list, and the turns beside them -----
CALL (found) {
  CALL (found) {
    // include: best_by_words
  UNION
    // include: best_by_mention
  }
  RETURN collect(memory) AS base
}
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
      matched: [term IN $question.terms WHERE memory.terms CONTAINS term],
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
  [entity IN named | {id: entity.id, name: entity.name, keys: [name IN $question.names WHERE name IN entity.name_keys]}] AS named,
  candidates
