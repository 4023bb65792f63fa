// name: mark_unembeddable
// mode: write
// returns: none
// unscoped: one vector index serves all workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id, reason}
// param: signature string — embedder that refuses these texts but accepts others
// why: a text one model refuses must not hold up the change to that model for ever
CYPHER 25
UNWIND $rows AS row
MATCH (node:Searchable {workspace_id: row.workspace_id, id: row.id})
USING INDEX node:Searchable(workspace_id, id)
SET node.unembeddable_by = $signature, node.state = 'FAILED', node.failure = row.reason
