// name: extend_windows
// mode: write
// returns: none
// param: workspace_id string
// param: extensions list<map> — {id, text}: text of a later turn that the window of turn id gains
CYPHER 25
UNWIND $extensions AS row
MATCH (turn:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX turn:Memory(workspace_id, id)
// include: lock of turn
WITH turn, row
WHERE turn['active']
SET turn.search_window = coalesce(turn['search_window'], '') + ' ' + row.text
