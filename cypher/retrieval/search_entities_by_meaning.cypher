// name: search_entities_by_meaning
// mode: read
// returns: many
// index: vectors_a
// param: workspace_id string
// param: vector list<float>
// param: vector_property string
// param: types list<string> — empty: any
// param: name string? — substring of a name or alias, normalised
// param: connection_id string?
// param: vector_limit integer — rows of the vector search, including spare ones for compression and filter
// param: limit integer
// column: id string
// column: cosine float
CYPHER 25
MATCH (entity:Entity)
SEARCH entity IN (
  VECTOR INDEX vectors_a FOR $vector
  WHERE entity.workspace_id = $workspace_id AND entity.active = true AND entity.search_kind = 'entity'
  LIMIT $vector_limit
)
WITH entity
WHERE entity.active
  // include: entity_filter
RETURN entity.id AS id, 2 * vector.similarity.cosine(entity[$vector_property], $vector) - 1 AS cosine
ORDER BY cosine DESC, id
LIMIT $limit
