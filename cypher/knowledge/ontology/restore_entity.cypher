// name: restore_entity
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: now datetime
// column: entity map
// why: a merged entity returns by undoing the merge
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id, id: $id})
// include: lock of entity
WITH entity
WHERE NOT EXISTS { (entity)-[:MERGED_INTO]->(:Entity {workspace_id: $workspace_id}) }
FOREACH (_ IN CASE WHEN entity.active THEN [] ELSE [1] END |
  SET entity.active = true, entity.deleted_at = null, entity.updated_at = $now)
RETURN
  entity {
    // include: entity_fields of entity
  } AS entity
