// name: upsert_metric
// mode: write
// returns: optional
// param: workspace_id string
// param: name string
// param: id string — if it is new
// param: properties map — of a new one
// param: most integer — maximum per workspace
// param: now datetime
// column: metric map? — stored definition; an existing one stays; null if the maximum is reached
// column: is_full boolean — the workspace has reached its maximum and has none of this name
// why: locks the workspace before counting its metrics, so that concurrent calls cannot exceed the limit; returns no
//   row if it does not exist
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
OPTIONAL MATCH (other:Metric {workspace_id: $workspace_id})
WITH workspace, collect(other.name) AS names
WITH NOT $name IN names AND size(names) >= $most AS is_full
FOREACH (_ IN CASE WHEN is_full THEN [] ELSE [1] END |
  MERGE (metric:Metric {workspace_id: $workspace_id, name: $name})
    ON CREATE SET metric:_mem, metric += $properties, metric.id = $id, metric.created_at = $now)
WITH is_full
OPTIONAL MATCH (metric:Metric {workspace_id: $workspace_id, name: $name})
RETURN metric {
  .id, .workspace_id, .name, .aggregate, .action_type, .node_type, .outcome, .error_code, .created_at
} AS metric, is_full
