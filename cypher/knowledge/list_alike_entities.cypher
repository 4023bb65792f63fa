// name: list_alike_entities
// mode: read
// returns: many
// param: workspace_id string
// param: limit integer
// column: entity map — the one written by a person, else the older one
// column: duplicate map — another one with the same name apart from blanks, hyphens and full stops
// why: equal names come first, then the latest duplicates; two entities of different types are candidates only if
//   linking created or could not classify one; marks between digits count, so 3.1 is not 31; pairs that were separated
//   again are omitted
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id})
WHERE entity.created_at <= datetime('9999-12-31T00:00:00Z') AND entity.active
WITH entity, coalesce(entity.by_hand, true) OR EXISTS {
  (entity)-[:FROM]->(:Connection {workspace_id: $workspace_id})
} AS is_written
UNWIND entity.name_keys AS name
WITH entity, is_written, CASE
    WHEN name =~ '.*[0-9][-_. ]+[0-9].*' THEN name
    ELSE replace(replace(replace(replace(name, ' ', ''), '-', ''), '_', ''), '.', '')
  END AS bare
WHERE bare <> ''
WITH entity, is_written, bare ORDER BY is_written DESC, entity.created_at, entity.id
WITH bare, collect(DISTINCT {entity: entity, is_written: is_written})[..200] AS alike
WHERE size(alike) > 1
UNWIND range(1, size(alike) - 1) AS place
WITH alike[..place] AS known, alike[place].entity AS duplicate, alike[place].is_written AS is_written
WITH duplicate, head([each IN known WHERE each.entity.type = duplicate.type OR NOT is_written
  OR 'Thing' IN [each.entity.type, duplicate.type] | each.entity]) AS entity
WHERE entity IS NOT NULL
WITH DISTINCT entity, duplicate
WHERE NOT EXISTS {
  (note:EntityMerge {workspace_id: $workspace_id, from_id: duplicate.id})
  WHERE note.into_id = entity.id AND note.undone_at IS NOT NULL
} AND NOT EXISTS {
  (note:EntityMerge {workspace_id: $workspace_id, from_id: entity.id})
  WHERE note.into_id = duplicate.id AND note.undone_at IS NOT NULL
}
ORDER BY any(name IN duplicate.name_keys WHERE name IN entity.name_keys) DESC, duplicate.created_at DESC, duplicate.id DESC
LIMIT $limit
RETURN
  entity {
    // include: entity_fields of entity
  } AS entity,
  duplicate {
    // include: entity_fields of duplicate
  } AS duplicate
