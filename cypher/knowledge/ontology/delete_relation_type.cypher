// name: delete_relation_type
// mode: write
// returns: optional
// param: workspace_id string
// param: name string
// column: used_by string? — 'relations' where there still are some of the type; null: it was deleted
CYPHER 25
MATCH (type:RelationType {workspace_id: $workspace_id, name: $name})
// include: lock of type
WITH type, CASE
    WHEN EXISTS {
      (:Entity {workspace_id: $workspace_id})-[:$(type.name)]->(:Entity {workspace_id: $workspace_id})
    } THEN 'relations'
  END AS used_by
FOREACH (_ IN CASE WHEN used_by IS NULL THEN [1] ELSE [] END | DETACH DELETE type)
RETURN used_by
