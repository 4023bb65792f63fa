// name: note_duplicates
// mode: write
// returns: none
// param: workspace_id string
// param: rows list<map> — {id, version (of the text that was compared), duplicate_of (null: no duplicate)}
// why: only a hint for people; nothing is merged or deleted; a text that changed since is compared once it has its vector
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
// include: lock of memory
WITH memory, row
WHERE memory['version'] = row.version
SET memory.duplicate_of = row.duplicate_of, memory.to_compare = null
