// name: update_conversation
// mode: write
// returns: none
// param: workspace_id string
// param: id string
// param: properties map
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $id})
SET conversation += $properties
