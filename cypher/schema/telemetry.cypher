// name: telemetry
// mode: schema
// why: one sequence of a user and session, one tally of a kind of attempt, one node of a failure, one value of a
//   metric and day
CYPHER 25
CREATE CONSTRAINT agent_action_id_unique IF NOT EXISTS FOR (n:AgentAction) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT agent_sequence_id_unique IF NOT EXISTS FOR (n:AgentSequence) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT agent_sequence_of_user_unique IF NOT EXISTS FOR (n:AgentSequence) REQUIRE (n.workspace_id, n.user_id, n.session_id) IS UNIQUE
;
CYPHER 25
CREATE INDEX agent_sequence_user IF NOT EXISTS FOR (n:AgentSequence) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE CONSTRAINT agent_tally_unique IF NOT EXISTS FOR (n:AgentTally) REQUIRE (n.workspace_id, n.action_type, n.node_type) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT agent_failure_unique IF NOT EXISTS FOR (n:AgentFailure) REQUIRE (n.workspace_id, n.action_type, n.node_type, n.error_code) IS UNIQUE
;
CYPHER 25
CREATE CONSTRAINT agent_failure_id_unique IF NOT EXISTS FOR (n:AgentFailure) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX agent_action_workspace IF NOT EXISTS FOR (n:AgentAction) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX agent_action_occurred IF NOT EXISTS FOR (n:AgentAction) ON (n.workspace_id, n.occurred_at)
;
CYPHER 25
CREATE INDEX agent_action_sequence IF NOT EXISTS FOR (n:AgentAction) ON (n.workspace_id, n.sequence_id, n.occurred_at)
;
CYPHER 25
CREATE INDEX agent_action_position IF NOT EXISTS FOR (n:AgentAction) ON (n.workspace_id, n.sequence_id, n.position)
;
CYPHER 25
CREATE INDEX agent_action_target IF NOT EXISTS FOR (n:AgentAction) ON (n.workspace_id, n.target_id, n.occurred_at)
;
CYPHER 25
CREATE INDEX agent_sequence_workspace IF NOT EXISTS FOR (n:AgentSequence) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX agent_sequence_ended IF NOT EXISTS FOR (n:AgentSequence) ON (n.workspace_id, n.ended_at)
;
CYPHER 25
CREATE INDEX agent_sequence_untallied IF NOT EXISTS FOR (n:AgentSequence) ON (n.workspace_id, n.untallied)
;
CYPHER 25
CREATE INDEX agent_tally_workspace IF NOT EXISTS FOR (n:AgentTally) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX agent_failure_workspace IF NOT EXISTS FOR (n:AgentFailure) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX agent_pattern_workspace IF NOT EXISTS FOR (n:AgentPattern) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX agent_pattern_attempt IF NOT EXISTS FOR (n:AgentPattern) ON (n.workspace_id, n.action_type, n.node_type)
;
CYPHER 25
CREATE INDEX agent_pattern_node_type IF NOT EXISTS FOR (n:AgentPattern) ON (n.workspace_id, n.node_type)
;
CYPHER 25
CREATE FULLTEXT INDEX sequence_text IF NOT EXISTS FOR (n:AgentSequence) ON EACH [n.search_text, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
// Memories that runs have used are found without reading the others.
CREATE INDEX memory_runs IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.runs)
;
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
