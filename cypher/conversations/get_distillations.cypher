// name: get_distillations
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: distillation map
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
UNWIND $ids AS id
MATCH (pending:Distillation {workspace_id: $workspace_id, id: id})
USING INDEX pending:Distillation(workspace_id, id)
RETURN pending {
    .id, .workspace_id, .source, .text, .tool_name, .conversation_id, .message_id, .session_id, .api_key_id, .user_id, .agent_id,
    .created_at, .found, is_wanted: workspace.memory_enabled AND workspace.deleted_at IS NULL
  } AS distillation
