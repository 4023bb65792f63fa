// name: count_edges
// mode: read
// returns: one
// param: workspace_id string
// param: id string — of an entity
// param: limit integer — maximum edges examined, which bounds the cost of hubs
// column: edges integer — at most the limit
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id, id: $id})
CALL (entity) {
  MATCH (entity)-[edge]-({workspace_id: $workspace_id})
  WITH edge
  LIMIT $limit
  RETURN count(edge) AS edges
}
RETURN edges
