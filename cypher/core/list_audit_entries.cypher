// name: list_audit_entries
// mode: read
// returns: many
// unscoped: administrators read the audit log of the whole deployment
// param: actions list<string> — empty: all
// param: after_at datetime? — page start: the last row's time
// param: after_id string?
// param: limit integer
// column: entry map — the newest first
CYPHER 25
MATCH (entry:AuditEntry)
WHERE entry.at <= coalesce($after_at, datetime('9999-12-31T00:00:00Z'))
  AND ($after_at IS NULL OR entry.at < $after_at OR entry.id < $after_id)
  AND ($actions = [] OR entry.action IN $actions)
WITH entry
ORDER BY entry.at DESC, entry.id DESC
LIMIT $limit
RETURN entry {.id, .action, .actor_key_id, workspace_id: entry.about, .subject_id, .count, .at} AS entry
