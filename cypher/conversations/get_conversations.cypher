// name: get_conversations
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// column: conversation map
CYPHER 25
UNWIND $ids AS id
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: id})
USING INDEX conversation:Conversation(workspace_id, id)
WHERE true
  // include: in_scope of conversation
RETURN conversation {.id, .workspace_id, .user_id, .agent_id, .platform, .title, .created_at, .updated_at, .extracted_up_to} AS conversation
