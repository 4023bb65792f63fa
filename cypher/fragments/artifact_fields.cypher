.id, .workspace_id, .key, .name, .kind, .uri, .summary, .metadata, .session_id, .state, .failure, .created_at,
.updated_at
