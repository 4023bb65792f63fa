// name: enqueue_mirroring
// mode: write
// returns: none
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id}; skips nodes that are not memories
// param: now datetime
// why: the same jobs embed every kind of node, but only memories are mirrored
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
// include: mirroring_job
