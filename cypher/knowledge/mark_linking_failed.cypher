// name: mark_linking_failed
// mode: write
// returns: none
// unscoped: workers serve all workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id, reason}
// why: recall still finds the memory, so its state stays; its vector has a separate failure
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
SET memory.linking_failure = row.reason
