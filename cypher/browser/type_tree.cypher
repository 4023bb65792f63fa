// name: type_tree
// mode: read
// returns: many
// param: workspace_id string
// column: type node
// column: tree path? — edge to its parent type
// why: entity types and relation types of a workspace, each below its parent type
CYPHER 25
CALL () {
  MATCH (type:EntityType {workspace_id: $workspace_id})
  RETURN type
  LIMIT 200
UNION ALL
  MATCH (type:RelationType {workspace_id: $workspace_id})
  RETURN type
  LIMIT 200
}
OPTIONAL MATCH tree = (type)-[:SUBTYPE_OF]->(:EntityType {workspace_id: $workspace_id})
RETURN type, tree
ORDER BY type.name
