// name: open_conversation
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: now datetime
// column: platform string?
// column: next_position integer — behind the last message
// why: takes the conversation's lock, so that two captures cannot both see the same end; no row where memory is off
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
MERGE (conversation:Conversation {workspace_id: $workspace_id, id: $id})
  ON CREATE SET conversation.created_at = $now, conversation.updated_at = $now
SET conversation.locked_at = $now
WITH conversation
RETURN conversation.platform AS platform, coalesce(conversation.next_position, 0) AS next_position
