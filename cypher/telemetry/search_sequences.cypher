// name: search_sequences
// mode: read
// returns: many
// index: vectors_a
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: text_queries list<map> — {index, query}: Lucene queries with the workspace as a required clause
// param: vector list<float>? — null: words only
// param: vector_property string
// param: outcome string?
// param: limit integer — rows of each search, including spare ones for the approximate index and the outcome filter
// column: sequence map
// column: text_score float? — Lucene's
// column: cosine float? — exact
// why: counts a hit of one index alone; a query whose words the analyser drops matches everything with a score of 0,
//   which is not a hit
CYPHER 25
CALL () {
  UNWIND $text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $limit}) YIELD node, score
  WHERE node.workspace_id = $workspace_id AND score > 0
  RETURN node AS found, score AS text_score, null AS is_near
UNION ALL
  MATCH (found:AgentSequence)
  SEARCH found IN (
    VECTOR INDEX vectors_a FOR $vector
    WHERE found.workspace_id = $workspace_id AND found.active = true AND found.search_kind IN ['sequence']
      AND found.user_id IN $scope.users
    LIMIT $limit
  )
  RETURN found, null AS text_score, true AS is_near
}
WITH found AS sequence, max(text_score) AS text_score, count(is_near) > 0 AS is_near
WHERE sequence:AgentSequence AND sequence.active AND ($outcome IS NULL OR sequence.outcome = $outcome)
  // include: in_scope of sequence
RETURN sequence {
  // include: sequence_fields
} AS sequence,
  text_score,
  CASE WHEN is_near THEN 2 * vector.similarity.cosine(sequence[$vector_property], $vector) - 1 END AS cosine
