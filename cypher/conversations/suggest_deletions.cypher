// name: suggest_deletions
// mode: write
// returns: none
// param: workspace_id string
// param: conversation_id string
// param: rows list<map> — {id, reason}
// param: now datetime
// why: a language model only suggests deletions; a suggestion that a person dismissed is not repeated
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.deleted_at IS NULL AND memory.deletion_dismissed_at IS NULL
SET memory.deletion_suggested_at = coalesce(memory.deletion_suggested_at, $now), memory.deletion_reason = row.reason,
    memory.deletion_conversation_id = $conversation_id
