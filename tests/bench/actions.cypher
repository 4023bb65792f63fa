CYPHER 25
UNWIND range($first, $last) AS number
CREATE (sequence:_mem:AgentSequence {
  workspace_id: $workspace_id, id: 'seq_bench' + number, session_id: 'bench-' + number, active: true,
  search_kind: 'sequence', search_text: 'deploy on service', revision: 1, state: 'EMBEDDED', steps: [],
  action_count: $length, tallied_actions: $length, success_count: 0, error_count: $length, dead_end_count: 0,
  total_latency_ms: 0.0, outcome: 'ERROR', started_at: $now, ended_at: $now, created_at: $now, updated_at: $now
})
WITH sequence, number
UNWIND range(0, $length - 1) AS position
WITH sequence, number, position, (number + position) % $kinds AS kind, (number * 7 + position) % 10 < 7 AS failed
CREATE (sequence)-[:DID]->(:_mem:AgentAction {
  workspace_id: $workspace_id, id: 'act_bench' + number + '-' + position, sequence_id: sequence.id,
  session_id: sequence.session_id, position: position, action_type: 'action' + kind, node_type: 'Service',
  outcome: CASE WHEN failed THEN 'ERROR' ELSE 'SUCCESS' END, error_code: CASE WHEN failed THEN 'E_QUOTA' END,
  latency_ms: 10.0, occurred_at: $now, recorded_at: $now
})
WITH sequence, kind, max(CASE WHEN failed THEN 1 ELSE 0 END) = 1 AS failed
ORDER BY kind
MERGE (tally:AgentTally {workspace_id: $workspace_id, action_type: 'action' + kind, node_type: 'Service'})
  ON CREATE SET tally:_mem, tally.sequences = 0
CREATE (sequence)-[:TRIED]->(tally)
SET tally.sequences = tally.sequences + 1
WITH sequence, kind
WHERE failed
MERGE (failure:AgentFailure {
  workspace_id: $workspace_id, action_type: 'action' + kind, node_type: 'Service', error_code: 'E_QUOTA'
})
  ON CREATE SET failure:_mem, failure.id = 'pat_bench' + kind, failure.sequences = 0, failure.suppressed = false,
                failure.first_seen_at = $now, failure.last_seen_at = $now
CREATE (failure)-[:EVIDENCED_BY]->(sequence)
SET failure.sequences = failure.sequences + 1
