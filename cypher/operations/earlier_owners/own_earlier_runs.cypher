// name: own_earlier_runs
// mode: write
// returns: one
// param: workspace_id string
// param: owners map — the user of each session; a session that is not there is everybody's
// param: limit integer
// column: count integer — 0 when none is left
CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $workspace_id})
WHERE sequence.user_id IS NULL
WITH sequence
LIMIT $limit
SET sequence.user_id = coalesce($owners[sequence.session_id], ''), sequence.agent_id = ''
WITH sequence
CALL (sequence) {
  MATCH (action:AgentAction {workspace_id: $workspace_id, sequence_id: sequence.id})
  SET action.user_id = sequence.user_id, action.agent_id = ''
}
RETURN count(*) AS count
