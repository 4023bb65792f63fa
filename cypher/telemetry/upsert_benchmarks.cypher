// name: upsert_benchmarks
// mode: write
// returns: none
// param: workspace_id string
// param: benchmarks list<map> — {metric, day, id if it is new, value, samples, is_final (of a value that cannot be measured again)}
// param: unmeasured list<map> — {metric, day}: metrics that no longer have a value on that day
// param: now datetime
CYPHER 25
CALL () {
  UNWIND $unmeasured AS gone
  MATCH (benchmark:AgentBenchmark {workspace_id: $workspace_id, metric: gone.metric, day: gone.day})
  USING INDEX benchmark:AgentBenchmark(workspace_id, metric, day)
  DETACH DELETE benchmark
}
UNWIND $benchmarks AS row
MERGE (benchmark:AgentBenchmark {workspace_id: $workspace_id, metric: row.metric, day: row.day})
  ON CREATE SET benchmark:_mem, benchmark.id = row.id
SET benchmark.value = CASE WHEN row.is_final THEN coalesce(benchmark.value, row.value) ELSE row.value END,
    benchmark.samples = CASE WHEN row.is_final THEN coalesce(benchmark.samples, row.samples) ELSE row.samples END,
    benchmark.measured_at = $now
WITH benchmark
MATCH (metric:Metric {workspace_id: $workspace_id, name: benchmark.metric})
USING INDEX metric:Metric(workspace_id, name)
MERGE (benchmark)-[:MEASURES]->(metric)
