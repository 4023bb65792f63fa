// name: list_alike_entities
// mode: read
// returns: many
// param: workspace_id string
// param: limit integer
// column: entity map — the one that is known longer
// column: duplicate map — another one of its type that goes by the same name but for blanks, hyphens and full stops
// why: the latest duplicates first; two that were merged and taken apart again are not the same
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id})
WHERE entity.created_at <= datetime('9999-12-31T00:00:00Z') AND entity.active
UNWIND entity.name_keys AS name
WITH entity, replace(replace(replace(replace(name, ' ', ''), '-', ''), '_', ''), '.', '') AS bare
WHERE bare <> ''
WITH entity, bare ORDER BY entity.created_at, entity.id
WITH entity.type AS type, bare, collect(DISTINCT entity) AS alike
WHERE size(alike) > 1
WITH head(alike) AS entity, tail(alike) AS duplicates
UNWIND duplicates AS duplicate
WITH DISTINCT entity, duplicate
WHERE NOT EXISTS {
  (note:EntityMerge {workspace_id: $workspace_id, from_id: duplicate.id})
  WHERE note.into_id = entity.id AND note.undone_at IS NOT NULL
} AND NOT EXISTS {
  (note:EntityMerge {workspace_id: $workspace_id, from_id: entity.id})
  WHERE note.into_id = duplicate.id AND note.undone_at IS NOT NULL
}
ORDER BY duplicate.created_at DESC, duplicate.id DESC
LIMIT $limit
RETURN
  entity {
    // include: entity_fields of entity
  } AS entity,
  duplicate {
    // include: entity_fields of duplicate
  } AS duplicate
