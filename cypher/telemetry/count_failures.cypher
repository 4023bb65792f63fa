// name: count_failures
// mode: write
// returns: none
// param: workspace_id string
// param: failures list<map> — {sequence_id, action_type, node_type, error_code, id if it is new, first_at, last_at}
// why: a kind of failure collects its evidence from the first sequence on, so that becoming a pattern only adds a
//   label, at a cost that does not depend on the history
CYPHER 25
UNWIND $failures AS row
MERGE (failure:AgentFailure {workspace_id: $workspace_id, action_type: row.action_type, node_type: row.node_type,
                             error_code: row.error_code})
  ON CREATE SET failure:_mem, failure.id = row.id, failure.sequences = 0, failure.suppressed = false,
                failure.first_seen_at = row.first_at, failure.last_seen_at = row.last_at
// include: lock of failure
WITH failure, row
SET failure.first_seen_at = CASE WHEN row.first_at < failure.first_seen_at THEN row.first_at
                                 ELSE failure.first_seen_at END,
    failure.last_seen_at = CASE WHEN row.last_at > failure.last_seen_at THEN row.last_at
                                ELSE failure.last_seen_at END
WITH failure, row
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: row.sequence_id})
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
WHERE NOT EXISTS { (failure)-[:EVIDENCED_BY]->(sequence) }
CREATE (failure)-[:EVIDENCED_BY]->(sequence)
SET failure.sequences = failure.sequences + 1
