// name: list_selected_memories
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads
// param: after_id string — page start: the last row's id, empty for the first page
// param: now datetime — excludes expired memories
// param: limit integer
// column: id string
// column: metadata string? — as JSON
// column: is_turn boolean — whether it is a turn of a conversation
// column: tags list<string>
// column: user_id string?
// column: agent_id string?
// column: key string?
// column: expires_at datetime?
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.id > $after_id
  AND memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
RETURN memory.id AS id, memory.metadata AS metadata, memory.turn_scope IS NOT NULL AS is_turn,
       coalesce(memory.tags, []) AS tags, memory.user_id AS user_id, memory.agent_id AS agent_id, memory.key AS key,
       memory.expires_at AS expires_at
ORDER BY memory.workspace_id, memory.id
LIMIT $limit
