// name: find_relation
// mode: read
// returns: optional
// param: workspace_id string
// param: from_id string
// param: to_id string
// param: type string
// column: relation map — between live entities
CYPHER 25
MATCH (source:Entity {workspace_id: $workspace_id, id: $from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: $to_id})
MATCH (source)-[edge]->(target)
WHERE type(edge) = $type AND source.active AND target.active
RETURN edge {
    .id, .strength, .properties, .connection_ids, .created_at, .updated_at, type: type(edge), from_id: source.id,
    to_id: target.id
  } AS relation
