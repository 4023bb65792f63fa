// name: advance_extraction
// mode: write
// returns: optional
// param: workspace_id string
// param: conversation_id string
// param: seen integer — last position read before this step
// param: position integer — last position read with this step
// param: rereads integer — the conversation's counter at the time of reading
// param: requested_at datetime? — time of the extraction request that this step fulfils
// column: id string
// why: see advance_facts; a request made during the step stays pending
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
// include: lock of conversation
WITH conversation
WHERE coalesce(conversation.extracted_up_to, -1) = $seen AND coalesce(conversation.rereads, 0) = $rereads
SET conversation.extracted_up_to = $position,
    conversation.extraction_wished_at =
      CASE WHEN conversation.extraction_wished_at = $requested_at THEN null ELSE conversation.extraction_wished_at END
RETURN conversation.id AS id
