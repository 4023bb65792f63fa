// name: list_relation_ends
// mode: read
// returns: many
// param: workspace_id string
// param: entity_ids list<string>
// column: entity_id string
// column: type string — of relations that lead from or to the entity
// column: from_type string — of the entity that they lead from
// column: to_type string
// why: a new type of an entity may forbid its relations; includes relations to deleted entities, because these can be
//   restored
CYPHER 25
UNWIND $entity_ids AS entity_id
MATCH (entity:Entity {workspace_id: $workspace_id, id: entity_id})
USING INDEX entity:Entity(workspace_id, id)
MATCH (entity)-[edge]-(:Entity {workspace_id: $workspace_id})
WHERE true
  // include: only_relations
RETURN DISTINCT
  entity_id, type(edge) AS type, startNode(edge).type AS from_type, endNode(edge).type AS to_type
ORDER BY entity_id, type, from_type, to_type
