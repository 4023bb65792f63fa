// name: list_relations
// mode: read
// returns: many
// param: workspace_id string
// param: entity_ids list<string>
// param: limit integer — of each entity, the strongest first
// column: entity_id string
// column: relation map — in both directions, to live entities
CYPHER 25
UNWIND $entity_ids AS entity_id
MATCH (entity:Entity {workspace_id: $workspace_id, id: entity_id})
USING INDEX entity:Entity(workspace_id, id)
CALL (entity) {
  MATCH (entity)-[edge]-(other:Entity {workspace_id: $workspace_id})
  WHERE entity.active AND other.active
    // include: only_relations
  RETURN DISTINCT edge
  ORDER BY edge.strength DESC, edge.id
  LIMIT $limit
}
WITH entity_id, edge, startNode(edge) AS source, endNode(edge) AS target
RETURN entity_id, edge {
    .id, .strength, .properties, .connection_ids, .created_at, .updated_at, type: type(edge), from_id: source.id,
    to_id: target.id
  } AS relation
