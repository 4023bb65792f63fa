// name: release_keys
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
// why: a memory that has ended keeps its text and times; a new memory of the repeated statement takes over its key
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
SET memory.key = null, memory.folded_key = null, memory.key_is_derived = false
