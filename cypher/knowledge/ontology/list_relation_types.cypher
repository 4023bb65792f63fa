// name: list_relation_types
// mode: read
// returns: many
// param: workspace_id string
// column: relation_type map
CYPHER 25
MATCH (type:RelationType {workspace_id: $workspace_id})
RETURN
  type {
    .id, .workspace_id, .name, .description, .from_types, .to_types, .properties, .created_at, .updated_at
  } AS relation_type
ORDER BY type.name
