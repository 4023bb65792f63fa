// name: create_archive_edges
// mode: write
// returns: one
// param: workspace_id string
// param: rows list<map> — {source, target: element ids, type, properties, may_exist: true if both nodes existed before}
// column: created integer
CYPHER 25
UNWIND $rows AS row
MATCH (source {workspace_id: $workspace_id})
WHERE elementId(source) = row.source
CALL (row) {
  MATCH (target {workspace_id: $workspace_id})
  WHERE elementId(target) = row.target
  RETURN target
}
CALL (source, target, row) {
  WITH source, target, row
  WHERE NOT row.may_exist
     OR NOT EXISTS { (source)-[known:$(row.type)]->(target) WHERE coalesce(known.id = row.properties.id, true) }
  CREATE (source)-[edge:$(row.type)]->(target)
  SET edge = row.properties
  RETURN count(edge) AS made
}
RETURN coalesce(sum(made), 0) AS created
