// name: list_sequences_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: limit integer
// column: id string
CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, user_id: $user_id})
USING INDEX sequence:AgentSequence(workspace_id, user_id)
RETURN sequence.id AS id
LIMIT $limit
