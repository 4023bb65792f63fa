// name: list_taken_keys
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: user_id string — owner of the keys
// param: agent_id string — owner of the keys
// param: keys list<string>
// column: key string — one that a memory of the owner has, even a deleted one
CYPHER 25
UNWIND $keys AS key
MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id, agent_id: $agent_id, key: key})
USING INDEX memory:Memory(workspace_id, user_id, agent_id, key)
WHERE true
  // include: in_scope
RETURN memory.key AS key
