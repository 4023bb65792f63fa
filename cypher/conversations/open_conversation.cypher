// name: open_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: user_id string — owner of a new conversation; empty: the whole workspace
// param: agent_id string — likewise
// param: api_key_id string? — API key that creates a new conversation
// param: now datetime
// column: platform string?
// column: next_position integer — position after the last message
// column: facts_up_to integer — last position that the extraction rules have read; -1: none
// column: extracted_up_to integer — last position that all configured readers have read; -1: none
// column: rereads integer — number of changes before the end that need another reading
// column: settings string — workspace settings, JSON
// column: user_id string — owner
// column: agent_id string
// column: has_left boolean — another transaction moved it to another workspace while this one waited for the lock
// why: locks the conversation, so that two captures never see the same end; returns no row if memory is off
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
MERGE (conversation:Conversation {workspace_id: $workspace_id, id: $id})
  ON CREATE SET conversation.created_at = $now, conversation.updated_at = $now,
                conversation.user_id = $user_id, conversation.agent_id = $agent_id,
                conversation.api_key_id = $api_key_id
// include: lock of conversation
WITH workspace, conversation
RETURN conversation.platform AS platform, coalesce(conversation.next_position, 0) AS next_position,
       coalesce(conversation.facts_up_to, -1) AS facts_up_to, coalesce(conversation.extracted_up_to, -1) AS extracted_up_to,
       coalesce(conversation.rereads, 0) AS rereads, workspace.settings AS settings, coalesce(conversation.user_id, '') AS user_id,
       coalesce(conversation.agent_id, '') AS agent_id,
       conversation['workspace_id'] <> $workspace_id AS has_left
