// name: delete_entity_type
// mode: write
// returns: optional
// param: workspace_id string
// param: name string
// column: used_by string? — users of the type: 'entities', 'subtypes' or 'relation types'; null: it was deleted
// column: live integer — entities of the type
// column: inactive integer — deleted or merged entities
// column: merged integer — those of them that were merged into others
// why: no entity may have a type that the registry lacks, including entities restored later or by the undo of a merge
CYPHER 25
MATCH (type:EntityType {workspace_id: $workspace_id, name: $name})
// include: lock of type
WITH type, CASE
    WHEN EXISTS { (:Entity {workspace_id: $workspace_id, type: $name}) } THEN 'entities'
    WHEN EXISTS { (:EntityType {workspace_id: $workspace_id})-[:SUBTYPE_OF]->(type) } THEN 'subtypes'
    WHEN EXISTS {
      MATCH (relation:RelationType {workspace_id: $workspace_id})
      WHERE $name IN relation.from_types OR $name IN relation.to_types
    } THEN 'relation types'
  END AS used_by
FOREACH (_ IN CASE WHEN used_by IS NULL THEN [1] ELSE [] END | DETACH DELETE type)
RETURN
  used_by,
  COUNT { (:Entity {workspace_id: $workspace_id, type: $name, active: true}) } AS live,
  COUNT { (:Entity {workspace_id: $workspace_id, type: $name, active: false}) } AS inactive,
  COUNT {
    (:Entity {workspace_id: $workspace_id, type: $name, active: false})
      -[:MERGED_INTO]->(:Entity {workspace_id: $workspace_id})
  } AS merged
