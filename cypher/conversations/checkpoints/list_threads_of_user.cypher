// name: list_threads_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: limit integer
// column: id string
CYPHER 25
MATCH (thread:AgentCheckpointThread {workspace_id: $workspace_id, user_id: $user_id})
RETURN thread.id AS id
LIMIT $limit
