// name: share_memories
// mode: write
// returns: one
// unscoped: what every workspace of release 0.1 stored belongs to no user; each memory keeps its workspace
// param: limit integer
// column: count integer
// allow: NodeByLabelScan — once in the life of a store, until it is noted as done
// why: a key is looked up by user, and an empty user_id is that of what everybody shares
CYPHER 25
MATCH (memory:Memory)
WHERE memory.user_id IS NULL
WITH memory
LIMIT $limit
SET memory.user_id = '', memory.agent_id = ''
RETURN count(memory) AS count
