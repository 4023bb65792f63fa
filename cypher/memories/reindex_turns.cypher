// name: reindex_turns
// mode: write
// returns: none
// param: workspace_id string
// param: turns list<map> — {id, properties}: new search properties
CYPHER 25
UNWIND $turns AS row
MATCH (turn:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX turn:Memory(workspace_id, id)
// include: lock of turn
WITH turn, row
WHERE turn['active']
SET turn += row.properties
// include: language_label of turn
