// name: list_metrics
// mode: read
// returns: many
// param: workspace_id string
// column: metric map
CYPHER 25
MATCH (metric:Metric {workspace_id: $workspace_id})
WITH metric
ORDER BY metric.name
RETURN metric {
  .id, .workspace_id, .name, .aggregate, .action_type, .node_type, .outcome, .error_code, .created_at
} AS metric
