// name: note_key_use
// mode: write
// returns: none
// unscoped: one flush contains keys of several workspaces
// param: rows list<map> — {id, at}
// param: fresh_seconds integer — minimum interval between two recorded uses
CYPHER 25
UNWIND $rows AS row
MATCH (key:ApiKey {id: row.id})
WHERE key.last_used_at IS NULL OR key.last_used_at <= row.at - duration({seconds: $fresh_seconds})
SET key.last_used_at = row.at
