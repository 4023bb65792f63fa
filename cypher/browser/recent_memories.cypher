// name: recent_memories
// mode: read
// returns: many
// param: workspace_id string
// column: memory node
// column: surroundings list<path>
// why: shows the latest live memories and their neighbours; a starting point
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.active
WITH memory
ORDER BY memory.created_at DESC
LIMIT 50
CALL (memory) {
  MATCH path = (memory)--(:!Passage {workspace_id: $workspace_id})
  RETURN path
  LIMIT 10
}
RETURN memory, collect(path) AS surroundings
