// name: archive_memory
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: now datetime
// column: id string
// why: a soft delete keeps the node for restoreMemory and takes it out of every index filter
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, id: $id})
WHERE memory.deleted_at IS NULL
SET memory.deleted_at = $now, memory.updated_at = $now, memory.active = false
RETURN memory.id AS id
