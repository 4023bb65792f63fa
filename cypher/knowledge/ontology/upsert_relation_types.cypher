// name: upsert_relation_types
// mode: write
// returns: many
// param: workspace_id string
// param: types list<map> — {id (if it is new), name, properties: what to change}
// param: now datetime
// column: relation_type map
// why: locks the workspace so that it cannot disappear; returns no row if it does not exist
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
UNWIND $types AS row
MERGE (type:RelationType {workspace_id: $workspace_id, name: row.name})
  ON CREATE SET type.id = row.id, type.created_at = $now, type.properties = '{}'
SET type += row.properties, type.updated_at = $now
RETURN
  type {
    .id, .workspace_id, .name, .description, .from_types, .to_types, .properties, .created_at, .updated_at
  } AS relation_type
