// name: find_actions
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: id string
// column: session_id string
// column: user_id string — empty: everybody's
CYPHER 25
UNWIND $ids AS id
MATCH (action:AgentAction {workspace_id: $workspace_id, id: id})
USING INDEX action:AgentAction(workspace_id, id)
RETURN action.id AS id, action.session_id AS session_id, coalesce(action.user_id, '') AS user_id
