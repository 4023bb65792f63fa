// Entities that the query names.
CALL () {
  UNWIND $query.name_queries AS name_query
  CALL db.index.fulltext.queryNodes('entity_names', name_query, {limit: $named_limit}) YIELD node
  WHERE node.workspace_id = $workspace_id
  WITH DISTINCT node AS entity
  WHERE entity.active AND any(name IN $query.names WHERE name IN entity.name_keys)
  RETURN collect(entity) AS named
}
