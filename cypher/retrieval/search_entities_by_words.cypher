// name: search_entities_by_words
// mode: read
// returns: many
// param: workspace_id string
// param: text_queries list<map> — {index, query}: Lucene queries with workspace and kind as required clauses
// param: types list<string> — empty: any
// param: name string? — substring of a name or alias, normalised
// param: connection_id string?
// param: text_limit integer — rows of each full-text search, including spare ones for the filter
// param: limit integer
// column: id string
// column: score float — Lucene's score
CYPHER 25
CALL () {
  UNWIND $text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $text_limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id AND score > 0
  RETURN node AS entity, score
}
WITH entity, max(score) AS score
WHERE entity.active
  // include: entity_filter
RETURN entity.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
