// name: gather_candidates_by_words
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: question map — in one map, since the server plans this anew, for 0.7 s, for each set of types of its parameters:
//   text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
//   window_queries list<map> — the same over a memory's text together with the turns around it
//   name_queries list<string> — Lucene over entity_names, with the workspace as a required clause; empty: no names
//   names list<string> — the names that may stand in the query, as they are compared
//   terms list<string> — stems of the query, each between spaces
// param: named_limit integer — how many entities the query may name
// param: mention_limit integer — how many memories are looked at that mention one of them
// param: text_limit integer — length of the list of words
// param: pool_limit integer — how many of each list become candidates
// param: with_neighbours boolean — whether the turns beside them become candidates too
// param: now datetime
// param: filter map — as the fragment memory_filter reads it
// column: text_scores list<map> — {id, score} of what the words found
// column: window_scores list<map> — {id, score} of what the words found in the turns around
// column: mention_scores list<map> — {id, score} of what mentions entities that the query names
// column: named list<map> — {id, name, keys}: these entities, and under which names the query names them
// column: candidates list<map> — see graph.retrieval.recall.candidates.Candidate
// why: a statement that names a vector index fails where there is none, even if it would not search it; so recall
//   without vectors has one of its own
CYPHER 25
CALL () {
  // ----- entities that the query names -----
  UNWIND $question.name_queries AS name_query
  CALL db.index.fulltext.queryNodes('entity_names', name_query, {limit: $named_limit}) YIELD node
  WHERE node.workspace_id = $workspace_id
  WITH DISTINCT node AS entity
  WHERE entity.active AND any(name IN $question.names WHERE name IN entity.name_keys)
  RETURN collect(entity) AS named
}
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
  // ----- what mentions them: of each so many that a hub costs no more, and the fewer there are the more each says -----
  UNWIND named AS entity
  CALL (entity) {
    MATCH (entity)<-[:MENTIONS]-(memory:Memory {workspace_id: $workspace_id})
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
WITH coalesce(head(collect(named)), []) AS named, collect({
  id: memory.id, memory: memory, text_score: text_score, window_score: window_score, mention_score: mention_score
}) AS found
// ----- the best of both, and the turns beside them -----
CALL (found) {
  CALL (found) {
    UNWIND found AS row
    WITH row
    WHERE row.text_score > 0
    ORDER BY row.text_score DESC, row.id
    LIMIT $pool_limit
    RETURN row.memory AS memory
  UNION
    UNWIND found AS row
    WITH row
    WHERE row.window_score > 0
    ORDER BY row.window_score DESC, row.id
    LIMIT $pool_limit
    RETURN row.memory AS memory
  UNION
    UNWIND found AS row
    WITH row
    WHERE row.mention_score > 0
    ORDER BY row.mention_score DESC, row.memory.timestamp DESC, row.id
    LIMIT $pool_limit
    RETURN row.memory AS memory
  }
  RETURN collect(memory) AS base
}
CALL (base, named) {
  CALL (base) {
    UNWIND base AS memory
    RETURN memory
  UNION
    UNWIND CASE WHEN $with_neighbours THEN base ELSE [] END AS beside
    MATCH (beside)-[:NEXT]-(memory:Memory {workspace_id: $workspace_id})
    WHERE memory.active
    AND coalesce(memory.expires_at > $now, true)
    // include: in_scope
    AND ($filter.valid_at IS NULL OR (coalesce(memory.t_valid, $filter.valid_at) <= $filter.valid_at
                               AND coalesce(memory.t_invalid > $filter.valid_at, true)))
    RETURN memory
  }
  WITH memory, named,
       // include: turns_beside
  RETURN collect({
      id: memory.id, turn_scope: memory.turn_scope, position: memory.position,
      previous_id: head([turn IN beside WHERE NOT turn.is_next | turn.id]),
      next_id: head([turn IN beside WHERE turn.is_next | turn.id]),
      cosine: null, part_cosine: null, focus_cosine: null,
      matched: [term IN $question.terms WHERE memory.terms CONTAINS term],
      has_cjk:
        // include: text_has_cjk
      ,
      type: memory.type, words: memory.words, is_question: memory.is_question, first_person: memory.first_person,
      has_time: memory.has_time, has_number: memory.has_number, names: memory.names,
      speaker: memory.speaker, at: memory.timestamp.epochSeconds,
      importance: memory.importance, usage_count: memory.usage_count,
      age_days: duration.inDays(memory.created_at, $now).days,
      superseded_by: [(memory)-[:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
                      WHERE successor.active | successor.id],
      mentions: [(memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id}) WHERE entity IN named | entity.id]
    }) AS candidates
}
RETURN
  [row IN found WHERE row.text_score > 0 | {id: row.id, score: row.text_score}] AS text_scores,
  [row IN found WHERE row.window_score > 0 | {id: row.id, score: row.window_score}] AS window_scores,
  [row IN found WHERE row.mention_score > 0 | {id: row.id, score: row.mention_score}] AS mention_scores,
  [entity IN named | {id: entity.id, name: entity.name, keys: [name IN $question.names WHERE name IN entity.name_keys]}] AS named,
  candidates
