// name: upsert_entity_types
// mode: write
// returns: many
// param: workspace_id string
// param: types list<map> — {id (if it is new), name, properties: what to change}
// param: now datetime
// column: entity_type map
// why: the edge to the parent is for people and traversals, rules read the property; locks the workspace so that it
//   cannot disappear; returns no row if it does not exist
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
UNWIND $types AS row
MERGE (type:EntityType {workspace_id: $workspace_id, name: row.name})
  ON CREATE SET type.id = row.id, type.created_at = $now, type.properties = '{}'
SET type += row.properties, type.updated_at = $now
WITH collect(type) AS types
CALL (types) {
  UNWIND types AS type
  MATCH (type)-[edge:SUBTYPE_OF]->(old:EntityType {workspace_id: $workspace_id})
  WHERE type.parent IS NULL OR old.name <> type.parent
  DELETE edge
}
CALL (types) {
  UNWIND types AS type
  MATCH (parent:EntityType {workspace_id: $workspace_id, name: type.parent})
  USING INDEX parent:EntityType(workspace_id, name)
  MERGE (type)-[:SUBTYPE_OF]->(parent)
}
UNWIND types AS type
RETURN
  type {.id, .workspace_id, .name, .description, .parent, .properties, .created_at, .updated_at} AS entity_type
