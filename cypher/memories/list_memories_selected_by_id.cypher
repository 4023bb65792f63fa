// name: list_memories_selected_by_id
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads
// param: ids list<string>
// param: now datetime — excludes expired memories
// column: id string
// column: metadata string? — as JSON
// column: is_turn boolean — whether it is a turn of a conversation
// column: tags list<string>
// column: user_id string?
// column: agent_id string?
// column: key string?
// column: expires_at datetime?
// why: its cost depends on the number of ids only, not on the size of the workspace
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
RETURN memory.id AS id, memory.metadata AS metadata, memory.turn_scope IS NOT NULL AS is_turn,
       coalesce(memory.tags, []) AS tags, memory.user_id AS user_id, memory.agent_id AS agent_id, memory.key AS key,
       memory.expires_at AS expires_at
ORDER BY memory.id
