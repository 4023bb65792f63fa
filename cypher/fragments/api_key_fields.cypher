.id, .workspace_id, .name, .prefix, .scopes, .user_id, .agent_id, .created_at, .expires_at, .last_used_at, .rotated_at,
.requests_per_minute
