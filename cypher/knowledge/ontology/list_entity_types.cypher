// name: list_entity_types
// mode: read
// returns: many
// param: workspace_id string
// column: entity_type map
CYPHER 25
MATCH (type:EntityType {workspace_id: $workspace_id})
RETURN
  type {.id, .workspace_id, .name, .description, .parent, .properties, .created_at, .updated_at} AS entity_type
ORDER BY type.name
