// name: note_languages
// mode: write
// returns: none
// unscoped: what every workspace stored before; each row is matched with its own
// param: rows list<map> — {workspace_id, id, revision, properties}: what was read of a text that has changed is not written
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
WHERE coalesce(memory.revision, 0) = row.revision
SET memory += row.properties
// include: language_label
