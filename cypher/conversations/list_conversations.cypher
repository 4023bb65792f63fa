// name: list_conversations
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: platform string?
// param: after_updated datetime? — page start: the last row's updated_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: conversation map
// why: reads the newest first from the index on (workspace_id, updated_at); id breaks ties
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id})
WHERE conversation.updated_at <= coalesce($after_updated, datetime('9999-12-31T00:00:00Z'))
  AND ($after_updated IS NULL OR conversation.updated_at < $after_updated OR conversation.id < $after_id)
  AND ($platform IS NULL OR conversation.platform = $platform)
  // include: in_scope of conversation
WITH conversation
ORDER BY conversation.workspace_id DESC, conversation.updated_at DESC, conversation.id DESC
LIMIT $limit
RETURN conversation {.id, .workspace_id, .user_id, .agent_id, .platform, .title, .created_at, .updated_at, .extracted_up_to} AS conversation
