// name: delete_metric
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: name string
CYPHER 25
MATCH (metric:Metric {workspace_id: $workspace_id, id: $id})
WITH metric, metric.name AS name
CALL (name) {
  MATCH (benchmark:AgentBenchmark {workspace_id: $workspace_id, metric: name})
  DETACH DELETE benchmark
}
DETACH DELETE metric
RETURN name
