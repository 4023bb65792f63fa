// name: delete_relation_type
// mode: write
// returns: optional
// param: workspace_id string
// param: name string
// column: relations integer — of the type; 0: it was deleted
// column: live integer — of these, relations between live entities
CYPHER 25
MATCH (type:RelationType {workspace_id: $workspace_id, name: $name})
// include: lock of type
WITH type
CALL (type) {
  MATCH (source:Entity {workspace_id: $workspace_id})-[edge:$(type.name)]->(target:Entity {workspace_id: $workspace_id})
  RETURN count(edge) AS relations, count(CASE WHEN source.active AND target.active THEN edge END) AS live
}
FOREACH (_ IN CASE WHEN relations = 0 THEN [1] ELSE [] END | DETACH DELETE type)
RETURN relations, live
