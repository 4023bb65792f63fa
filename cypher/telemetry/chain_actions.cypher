// name: chain_actions
// mode: write
// returns: none
// param: workspace_id string
// param: chains list<map> — {sequence_id, since: time of the earliest new action}
// why: the actions of a sequence are chained by their time, ties by position; only the chain from the earliest new one
//   on is drawn again, so actions that come in order cost nothing more
CYPHER 25
UNWIND $chains AS row
CALL (row) {
  OPTIONAL MATCH (earlier:AgentAction {workspace_id: $workspace_id, sequence_id: row.sequence_id})
  WHERE earlier.occurred_at < row.since
  WITH earlier
  ORDER BY earlier.occurred_at DESC, earlier.position DESC
  LIMIT 1
  RETURN collect(earlier) AS before
}
CALL (row) {
  MATCH (later:AgentAction {workspace_id: $workspace_id, sequence_id: row.sequence_id})
  WHERE later.occurred_at >= row.since
  WITH later
  ORDER BY later.occurred_at, later.position
  RETURN collect(later) AS after
}
WITH before + after AS chain
CALL (chain) {
  UNWIND chain AS action
  MATCH (action)-[old:NEXT]->(:AgentAction {workspace_id: $workspace_id})
  DELETE old
}
CALL (chain) {
  UNWIND range(1, size(chain) - 1) AS place
  WITH chain[place - 1] AS action, chain[place] AS following
  CREATE (action)-[:NEXT]->(following)
}
