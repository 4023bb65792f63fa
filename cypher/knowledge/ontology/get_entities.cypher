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
    .id, .workspace_id, .key, .type, .name, .aliases, .description, .summary, .properties, .uri, .state,
    .created_at, .updated_at, .deleted_at, .revision, by_hand: coalesce(entity.by_hand, true),
    connection_ids: [(entity)-[:FROM]->(connection:Connection {workspace_id: $workspace_id}) | connection.id]
  } AS entity
