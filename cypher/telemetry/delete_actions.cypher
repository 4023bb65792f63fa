// name: delete_actions
// mode: write
// returns: one
// param: workspace_id string
// param: sequence_ids list<string> — whose lock the transaction holds
// param: limit integer — how many one transaction removes
// column: deleted integer — below the limit when nothing is left
// column: days list<string> — of UTC, on which they were done
// why: deletes a long run in bounded transactions; its counters are reduced once, with the run itself
CYPHER 25
UNWIND $sequence_ids AS sequence_id
MATCH (action:AgentAction {workspace_id: $workspace_id, sequence_id: sequence_id})
USING INDEX SEEK action:AgentAction(workspace_id, sequence_id, position)
WHERE action.position >= 0
WITH action, toString(date(action.occurred_at)) AS day
LIMIT $limit
DETACH DELETE action
RETURN count(*) AS deleted, collect(DISTINCT day) AS days
