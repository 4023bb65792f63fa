// name: chain_actions
// mode: write
// returns: none
// param: workspace_id string
// param: chains list<map> — {sequence_id, since: time of the earliest new action, until: that of the latest}
// why: links the actions of a sequence by time, ties by position; rebuilds only the part around the new ones, whose
//   neighbours are the next in the index
CYPHER 25
UNWIND $chains AS row
CALL (row) {
  MATCH (earlier:AgentAction {workspace_id: $workspace_id, sequence_id: row.sequence_id})
  USING INDEX earlier:AgentAction(workspace_id, sequence_id, occurred_at)
  WHERE earlier.occurred_at < row.since
  WITH earlier
  ORDER BY earlier.workspace_id DESC, earlier.sequence_id DESC, earlier.occurred_at DESC, earlier.position DESC
  LIMIT 1
  RETURN collect(earlier) AS before
}
CALL (row) {
  MATCH (changed:AgentAction {workspace_id: $workspace_id, sequence_id: row.sequence_id})
  USING INDEX changed:AgentAction(workspace_id, sequence_id, occurred_at)
  WHERE row.since <= changed.occurred_at <= row.until
  WITH changed
  ORDER BY changed.occurred_at, changed.position
  RETURN collect(changed) AS stretch
}
CALL (row) {
  MATCH (later:AgentAction {workspace_id: $workspace_id, sequence_id: row.sequence_id})
  USING INDEX later:AgentAction(workspace_id, sequence_id, occurred_at)
  WHERE later.occurred_at > row.until
  WITH later
  ORDER BY later.workspace_id, later.sequence_id, later.occurred_at, later.position
  LIMIT 1
  RETURN collect(later) AS after
}
WITH before + stretch + after AS chain
CALL (chain) {
  UNWIND chain AS action
  MATCH (action)-[old:NEXT]->(other:AgentAction {workspace_id: $workspace_id})
  WHERE action <> chain[-1] OR other IN chain
  DELETE old
}
CALL (chain) {
  UNWIND range(1, size(chain) - 1) AS place
  WITH chain[place - 1] AS action, chain[place] AS following
  CREATE (action)-[:NEXT]->(following)
}
