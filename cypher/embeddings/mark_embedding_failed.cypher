// name: mark_embedding_failed
// mode: write
// returns: none
// unscoped: workers serve every workspace; each row is matched with its own
// param: rows list<map> — {workspace_id, id, reason}
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
SET memory.state = 'FAILED', memory.failure = row.reason
