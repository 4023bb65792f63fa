// name: describe_memories
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: id string
// column: key string?
// column: type string?
// column: user_id string?
// column: agent_id string?
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
RETURN memory.id AS id, memory.key AS key, memory.type AS type, memory.user_id AS user_id, memory.agent_id AS agent_id
