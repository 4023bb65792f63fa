// name: search_knowledge_by_words
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: text_queries list<map> — {index, query}: Lucene queries with workspace and kind as required clauses
// param: vector list<float>? — vector to compare with; null: no cosines
// param: vector_property string
// param: searched integer — rows of each full-text search, including deleted and merged nodes
// param: limit integer — maximum rows per query, so that no kind crowds out another
// column: id string
// column: kind string
// column: text string
// column: keys string? — names and aliases
// column: cosine float?
// column: score float — Lucene's score, comparable within one index only
CYPHER 25
UNWIND $text_queries AS leg
CALL (leg) {
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $searched}) YIELD node, score
  WHERE node.workspace_id = $workspace_id AND node.active
    // include: in_scope of node
  RETURN node, score
  ORDER BY score DESC, node.id
  LIMIT $limit
}
RETURN node.id AS id, node.search_kind AS kind, node.search_text AS text, node.search_keys AS keys,
       2 * vector.similarity.cosine(node[$vector_property], $vector) - 1 AS cosine, score
ORDER BY score DESC, id
