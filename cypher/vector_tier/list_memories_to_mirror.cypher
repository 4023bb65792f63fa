// name: list_memories_to_mirror
// mode: read
// returns: many
// unscoped: one external tier serves every workspace
// param: after_id string
// param: limit integer
// column: workspace_id string
// column: id string
// column: active boolean
CYPHER 25
MATCH (memory:Memory)
WHERE memory.id > $after_id
RETURN memory.workspace_id AS workspace_id, memory.id AS id, memory.active AS active
ORDER BY memory.id
LIMIT $limit
