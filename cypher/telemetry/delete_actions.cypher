// name: delete_actions
// mode: write
// returns: one
// param: workspace_id string
// param: sequence_ids list<string> — locked by this transaction
// param: limit integer — maximum removed in one transaction
// column: deleted integer — below the limit if nothing is left
// column: days list<string> — day in UTC
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
