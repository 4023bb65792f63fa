// name: advance_facts
// mode: write
// returns: optional
// param: workspace_id string
// param: conversation_id string
// param: seen integer — last position that the rules had read before this step
// param: position integer — last position that the rules have read with this step
// param: rereads integer — the conversation's counter at the time of reading
// column: id string
// why: runs in the transaction that saves the facts, so that each fact is saved once; returns no row if another worker
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
