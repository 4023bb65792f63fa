// name: 0042_benchmarks
// mode: schema
// why: one value a metric and day, so that measuring a day again replaces it
CYPHER 25
CREATE CONSTRAINT agent_benchmark_unique IF NOT EXISTS FOR (n:AgentBenchmark) REQUIRE (n.workspace_id, n.metric, n.day) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT metric_name_unique IF NOT EXISTS FOR (n:Metric) REQUIRE (n.workspace_id, n.name) IS UNIQUE
;
CYPHER 25
CREATE INDEX agent_benchmark_workspace IF NOT EXISTS FOR (n:AgentBenchmark) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX metric_workspace IF NOT EXISTS FOR (n:Metric) ON (n.workspace_id)
