// name: list_memories_to_mirror
// mode: read
// returns: many
// unscoped: one external tier serves all workspaces
// param: after string — "<id> <workspace>" of the previous memory; ids contain no blanks
// param: limit integer
// column: workspace_id string
// column: id string
// column: active boolean
CYPHER 25
MATCH (memory:Memory&Searchable)
USING INDEX memory:Searchable(id)
WHERE memory.id >= split($after, ' ')[0] AND memory.id + ' ' + memory.workspace_id > $after
RETURN memory.workspace_id AS workspace_id, memory.id AS id, memory.active AS active
ORDER BY id, workspace_id
LIMIT $limit
