// name: note_duplicates
// mode: write
// returns: none
// param: workspace_id string
// param: rows list<map> — {id, duplicate_of (null: no duplicate)}
// why: only a hint for people; nothing is merged or deleted
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
SET memory.duplicate_of = row.duplicate_of, memory.to_compare = null
