// name: release_relations
// mode: write
// returns: one
// param: workspace_id string
// param: connection_id string
// param: after_id string — the last entity seen
// param: limit integer — maximum entities examined in one transaction
// column: deleted integer — relations whose only source was the connection
// column: last_id string? — null if no entity is left
// why: relations have no index on their connections, so this query reads them entity by entity, a few at a time
CYPHER 25
CALL () {
  MATCH (source:Entity {workspace_id: $workspace_id})
  WHERE source.id > $after_id
  RETURN source
  ORDER BY source.workspace_id, source.id
  LIMIT $limit
}
CALL (source) {
  MATCH (source)-[edge]->(:Entity {workspace_id: $workspace_id})
  WHERE $connection_id IN edge.connection_ids
  SET edge.connection_ids = [id IN edge.connection_ids WHERE id <> $connection_id],
      edge.own_connection_ids = [id IN edge.own_connection_ids WHERE id <> $connection_id]
  WITH edge
  WHERE edge.connection_ids = [] AND NOT edge.by_hand
  DELETE edge
  RETURN count(*) AS gone
}
RETURN sum(gone) AS deleted, max(source.id) AS last_id
