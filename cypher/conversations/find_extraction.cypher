// name: find_extraction
// mode: read
// returns: optional
// param: workspace_id string
// param: conversation_id string
// column: state map — see graph.conversations.extraction.models.ExtractionState
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
RETURN conversation {
    .workspace_id, .id, user_id: nullif(conversation.user_id, ''), agent_id: nullif(conversation.agent_id, ''),
    .api_key_id,
    workspace_settings: workspace.settings, memory_enabled: workspace.memory_enabled,
    facts_up_to: coalesce(conversation.facts_up_to, -1), extracted_up_to: coalesce(conversation.extracted_up_to, -1),
    last_position: coalesce(conversation.next_position, 0) - 1, rereads: coalesce(conversation.rereads, 0),
    requested_at: conversation.extraction_wished_at
  } AS state
