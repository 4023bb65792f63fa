// name: mark_linking_failed
// mode: write
// returns: none
// unscoped: workers serve every workspace; each row is matched with its own
// param: rows list<map> — {workspace_id, id, reason}
// why: a memory that could not be linked is found as before, so its state stays what it has reached; its vector, which
//   has a failure of its own, may come later or be made again
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
SET memory.linking_failure = row.reason
