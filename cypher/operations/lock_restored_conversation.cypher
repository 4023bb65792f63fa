// name: lock_restored_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: appending messages takes this lock too, so that the chain does not grow while it is linked
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $id})
// include: lock of conversation
RETURN conversation.id AS id
