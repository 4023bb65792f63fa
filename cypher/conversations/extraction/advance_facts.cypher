// name: advance_facts
// mode: write
// returns: optional
// param: workspace_id string
// param: conversation_id string
// param: seen integer — how far the rules had read when what is saved now was read
// param: position integer — how far they have read with it
// param: rereads integer — of the conversation when it was read
// column: id string
// why: runs in the transaction that saves the facts, so that each fact is found once; returns no row if another worker
//   was faster, a message changed, memory is off or the conversation no longer exists
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
// include: lock of conversation
WITH conversation
WHERE coalesce(conversation.facts_up_to, -1) = $seen AND coalesce(conversation.rereads, 0) = $rereads
SET conversation.facts_up_to = $position
RETURN conversation.id AS id
