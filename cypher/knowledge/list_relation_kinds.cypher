// name: list_relation_kinds
// mode: read
// returns: many
// param: workspace_id string
// param: id string — of an entity
// param: other_id string — entity whose relations with it do not count
// column: type string
// column: other_type string — of the entity at the other end
// column: is_outgoing boolean
// why: a merge gives these relations to an entity of another type, which may not allow them
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id, id: $id})
MATCH (entity)-[edge]-(other:Entity {workspace_id: $workspace_id})
WHERE other.id <> $other_id
  // include: only_relations
RETURN DISTINCT type(edge) AS type, other.type AS other_type, startNode(edge) = entity AS is_outgoing
ORDER BY type, other_type, is_outgoing
