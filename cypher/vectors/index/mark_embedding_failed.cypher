// name: mark_embedding_failed
// mode: write
// returns: none
// unscoped: workers serve all workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id, reason}
CYPHER 25
UNWIND $rows AS row
MATCH (node:Searchable {workspace_id: row.workspace_id, id: row.id})
USING INDEX node:Searchable(workspace_id, id)
SET node.state = 'FAILED', node.failure = row.reason
