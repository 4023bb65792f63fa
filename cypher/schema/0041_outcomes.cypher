// name: 0041_outcomes
// mode: schema
// why: memories that runs have used, without reading the others
CYPHER 25
CREATE INDEX memory_runs IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.runs)
