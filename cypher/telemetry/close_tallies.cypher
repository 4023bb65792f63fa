// name: close_tallies
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string> — of sequences whose lock the transaction holds
CYPHER 25
UNWIND $ids AS id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: id})
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
SET sequence.tallied_actions = sequence.action_count, sequence.untallied = null
