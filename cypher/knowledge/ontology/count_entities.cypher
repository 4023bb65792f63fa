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
  AND ($types = [] OR entity.type IN $types)
  AND ($name IS NULL OR any(key IN entity.name_keys WHERE key CONTAINS $name))
  AND ($connection_id IS NULL OR EXISTS {
    (entity)-[:FROM]->(:Connection {workspace_id: $workspace_id, id: $connection_id})
  })
RETURN count(entity) AS entities
