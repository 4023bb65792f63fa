// name: list_benchmarks
// mode: read
// returns: many
// param: workspace_id string
// param: metric string
// param: since_day string — inclusive, as in 2026-05-01
// param: until_day string — exclusive
// column: day string
// column: value float
// column: samples integer
CYPHER 25
MATCH (benchmark:AgentBenchmark {workspace_id: $workspace_id, metric: $metric})
WHERE benchmark.day >= $since_day AND benchmark.day < $until_day
RETURN benchmark.day AS day, benchmark.value AS value, benchmark.samples AS samples
ORDER BY day
