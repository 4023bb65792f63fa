// name: add_recalls
// mode: write
// returns: none
// unscoped: one flush contains recalls of several workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, count, answered, at}
// why: the first SET takes the node's lock, so that no concurrent addition is lost
CYPHER 25
UNWIND $rows AS row
MATCH (workspace:Workspace {id: row.workspace_id})
SET workspace.recalled_at = row.at
WITH workspace, row
SET workspace.recall_count = coalesce(workspace.recall_count, 0) + row.count,
    workspace.answered_recall_count = coalesce(workspace.answered_recall_count, 0) + row.answered
