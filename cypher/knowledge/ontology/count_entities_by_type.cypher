// name: count_entities_by_type
// mode: read
// returns: many
// param: workspace_id string
// column: name string
// column: entities integer — live entities of exactly this type
CYPHER 25
MATCH (type:EntityType {workspace_id: $workspace_id})
RETURN type.name AS name,
       COUNT { (:Entity {workspace_id: $workspace_id, type: type.name, active: true}) } AS entities
