// name: create_missing_types
// mode: write
// returns: none
// param: workspace_id string
// param: entity_types list<map> — {id, name} of types used for the first time
// param: relation_types list<map> — the same
// param: now datetime
// why: a type gets an open schema at its first use; a type that another writer has just created stays unchanged
CYPHER 25
CALL () {
  UNWIND $entity_types AS row
  MERGE (type:EntityType {workspace_id: $workspace_id, name: row.name})
    ON CREATE SET type.id = row.id, type.created_at = $now, type.updated_at = $now, type.properties = '{}'
}
CALL () {
  UNWIND $relation_types AS row
  MERGE (type:RelationType {workspace_id: $workspace_id, name: row.name})
    ON CREATE SET type.id = row.id, type.created_at = $now, type.updated_at = $now, type.properties = '{}'
}
