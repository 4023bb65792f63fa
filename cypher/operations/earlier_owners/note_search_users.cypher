// name: note_search_users
// mode: write
// returns: none
// unscoped: what every workspace stored before; each row is matched with its own
// param: rows list<map> — {workspace_id, id, term}
CYPHER 25
UNWIND $rows AS row
MATCH (node:Searchable {workspace_id: row.workspace_id, id: row.id})
USING INDEX node:Searchable(workspace_id, id)
SET node.search_user = row.term, node.user_id = coalesce(node.user_id, '')
