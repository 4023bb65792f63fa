// name: list_entities
// mode: read
// returns: many
// param: workspace_id string
// param: types list<string> — empty: any
// param: name string? — normalised; a part of a name or alias
// param: connection_id string?
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: entity map
// why: reads the index on (workspace_id, created_at), newest first; id breaks ties, so that pages neither repeat nor
//   skip a row
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id})
WHERE entity.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR entity.created_at < $after_created OR entity.id < $after_id)
  AND entity.active
  // include: entity_filter
WITH entity
ORDER BY entity.workspace_id DESC, entity.created_at DESC, entity.id DESC
LIMIT $limit
RETURN
  entity {
    // include: entity_fields of entity
  } AS entity
