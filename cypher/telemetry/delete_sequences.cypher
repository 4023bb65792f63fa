// name: delete_sequences
// mode: write
// returns: many
// param: workspace_id string
// param: ids list<string> — locked by this transaction; their actions are deleted
// column: id string
// column: tallies list<map> — {action_type, node_type}: tallies that lost a sequence
// why: the same transaction reduces the counts for which the sequence was evidence
CYPHER 25
UNWIND $ids AS id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: id})
USING INDEX sequence:AgentSequence(workspace_id, id)
CALL (sequence) {
  MATCH (sequence)-[:TRIED]->(tally:AgentTally {workspace_id: $workspace_id})
  WITH tally
  ORDER BY tally.action_type, tally.node_type
  // include: lock of tally
  SET tally.sequences = tally.sequences - 1
  RETURN collect(tally {.action_type, .node_type}) AS tallies
}
CALL (sequence) {
  MATCH (sequence)<-[:EVIDENCED_BY]-(failure:AgentFailure {workspace_id: $workspace_id})
  // include: lock of failure
  SET failure.sequences = failure.sequences - 1
}
CALL (sequence) {
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: sequence.id})
  USING INDEX job:Job(workspace_id, subject_id)
  DETACH DELETE job
}
DETACH DELETE sequence
RETURN id, tallies
