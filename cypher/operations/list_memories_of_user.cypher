// name: list_memories_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: limit integer
// column: id string
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
WITH memory
LIMIT $limit
RETURN memory.id AS id
