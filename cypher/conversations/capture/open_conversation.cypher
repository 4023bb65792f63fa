// name: open_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: user_id string — whose it becomes if it is new; empty: everybody's
// param: agent_id string — likewise
// param: api_key_id string? — whose key begins it
// param: now datetime
// column: platform string?
// column: next_position integer — behind the last message
// column: facts_up_to integer — how far the rules of extraction have read; -1: nothing
// column: extracted_up_to integer — how far all have read that are to; -1: nothing
// column: rereads integer — how often something in front of its end has changed
// column: settings string — of the workspace, JSON
// column: user_id string — whose it is
// column: agent_id string
// column: has_left boolean — it became another workspace's while its lock was waited for
// why: takes the conversation's lock, so that two captures cannot both see the same end; no row where memory is off
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
