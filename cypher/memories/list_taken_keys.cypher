// name: list_taken_keys
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: user_id string — owner of the keys
// param: agent_id string — owner of the keys
// param: keys list<string>
// column: key string — key of a memory of the owner, even a deleted one
CYPHER 25
UNWIND $keys AS key
MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id, agent_id: $agent_id, key: key})
USING INDEX memory:Memory(workspace_id, user_id, agent_id, key)
WHERE true
  // include: in_scope
RETURN memory.key AS key
