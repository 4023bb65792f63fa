// name: count_attempts
// mode: write
// returns: none
// param: workspace_id string
// param: attempts list<map> — {sequence_id, action_type, node_type}, in the order of the last two
// why: an edge marks a counted sequence, so that repeated runs count it once; the lock of the tally comes first and
//   serialises changes to the failures of its kind
CYPHER 25
UNWIND $attempts AS row
MERGE (tally:AgentTally {workspace_id: $workspace_id, action_type: row.action_type, node_type: row.node_type})
  ON CREATE SET tally:_mem, tally.sequences = 0
// include: lock of tally
WITH tally, row
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: row.sequence_id})
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
WHERE NOT EXISTS { (sequence)-[:TRIED]->(tally) }
CREATE (sequence)-[:TRIED]->(tally)
SET tally.sequences = tally.sequences + 1
