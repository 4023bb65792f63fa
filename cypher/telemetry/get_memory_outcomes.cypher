// name: get_memory_outcomes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// column: memory_id string
// column: runs integer
// column: succeeded integer
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.runs > 0
  // include: in_scope
RETURN memory.id AS memory_id, memory.runs AS runs, memory.runs_succeeded AS succeeded
