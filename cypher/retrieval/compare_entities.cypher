// name: compare_entities
// mode: read
// returns: many
// param: workspace_id string
// param: vector list<float>
// param: vector_property string
// param: types list<string> — empty: any
// param: name string? — substring of a name or alias, normalised
// param: connection_id string?
// param: limit integer
// column: id string
// column: cosine float
// why: comparing all is exact if few match the filter; a vector search filtered afterwards might find none
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id})
WHERE entity[$vector_property] IS NOT NULL AND entity.active
  // include: entity_filter
RETURN entity.id AS id, 2 * vector.similarity.cosine(entity[$vector_property], $vector) - 1 AS cosine
ORDER BY cosine DESC, id
LIMIT $limit
