// name: list_conversations_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: limit integer
// column: id string
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, user_id: $user_id})
RETURN conversation.id AS id
LIMIT $limit
