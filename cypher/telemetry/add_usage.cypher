// name: add_usage
// mode: write
// returns: none
// unscoped: one flush contains memories of several workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id, count, at}
// why: takes the lock before reading the count, so that no concurrent addition is lost
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
// include: lock of memory
WITH memory, row
SET memory.usage_count = coalesce(memory.usage_count, 0) + row.count,
    memory.last_used_at = CASE WHEN memory.last_used_at > row.at THEN memory.last_used_at ELSE row.at END,
    memory.last_accessed_at = CASE WHEN memory.last_accessed_at > row.at THEN memory.last_accessed_at ELSE row.at END
