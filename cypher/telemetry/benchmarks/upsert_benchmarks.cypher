// name: upsert_benchmarks
// mode: write
// returns: none
// param: workspace_id string
// param: benchmarks list<map> — {metric, day, id if it is new, value, samples}
// param: now datetime
CYPHER 25
UNWIND $benchmarks AS row
MERGE (benchmark:AgentBenchmark {workspace_id: $workspace_id, metric: row.metric, day: row.day})
  ON CREATE SET benchmark:_mem, benchmark.id = row.id
SET benchmark.value = row.value, benchmark.samples = row.samples, benchmark.measured_at = $now
WITH benchmark
MATCH (metric:Metric {workspace_id: $workspace_id, name: benchmark.metric})
USING INDEX metric:Metric(workspace_id, name)
MERGE (benchmark)-[:MEASURES]->(metric)
