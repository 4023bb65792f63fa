// name: upsert_metric
// mode: write
// returns: optional
// param: workspace_id string
// param: name string
// param: id string — if it is new
// param: properties map — of a new one
// param: most integer — how many a workspace may have
// param: now datetime
// column: metric map — as it stands: a definition that was there stays
// why: no row where it would be new and the workspace has as many as it may; its lock is held from before they are
//      counted, so that many at once do not all find room
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
OPTIONAL MATCH (other:Metric {workspace_id: $workspace_id})
WITH collect(other.name) AS names
WHERE $name IN names OR size(names) < $most
MERGE (metric:Metric {workspace_id: $workspace_id, name: $name})
  ON CREATE SET metric:_mem, metric += $properties, metric.id = $id, metric.created_at = $now
RETURN metric {
  .id, .workspace_id, .name, .aggregate, .action_type, .node_type, .outcome, .error_code, .created_at
} AS metric
