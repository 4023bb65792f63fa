// name: count_entities
// mode: read
// returns: one
// param: workspace_id string
// param: types list<string> — empty: any
// param: name string? — normalised; a part of a name or alias
// param: connection_id string?
// column: entities integer
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id})
WHERE entity.active
  // include: entity_filter
RETURN count(entity) AS entities
