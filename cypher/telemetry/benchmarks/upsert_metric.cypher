// name: upsert_metric
// mode: write
// returns: one
// param: workspace_id string
// param: name string
// param: id string — if it is new
// param: properties map — of a new one
// param: now datetime
// column: metric map — as it stands: a definition that was there stays
CYPHER 25
MERGE (metric:Metric {workspace_id: $workspace_id, name: $name})
  ON CREATE SET metric:_mem, metric += $properties, metric.id = $id, metric.created_at = $now
RETURN metric {
  .id, .workspace_id, .name, .aggregate, .action_type, .node_type, .outcome, .error_code, .created_at
} AS metric
