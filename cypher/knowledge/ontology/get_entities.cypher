// name: get_entities
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// param: keys list<string>
// column: entity map — live ones only
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (entity:Entity {workspace_id: $workspace_id, id: id})
  USING INDEX entity:Entity(workspace_id, id)
  RETURN entity
UNION
  UNWIND $keys AS key
  MATCH (entity:Entity {workspace_id: $workspace_id, key: key})
  USING INDEX entity:Entity(workspace_id, key)
  RETURN entity
}
WITH entity
WHERE entity.active
RETURN
  entity {
    // include: entity_fields of entity
  } AS entity
