// name: recount_runs
// mode: write
// returns: none
// param: workspace_id string
// param: refs list<string> — element ids of memories, in the same order in every transaction
// why: restored runs may have used existing memories, whose counts must match their edges
CYPHER 25
UNWIND $refs AS ref
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE elementId(memory) = ref
// include: lock of memory
WITH memory
CALL (memory) {
  MATCH (memory)<-[used:USED]-(:AgentSequence {workspace_id: $workspace_id})
  WHERE used.outcome IS NOT NULL
  RETURN count(used) AS runs, count(CASE used.outcome WHEN 'SUCCESS' THEN 1 END) AS succeeded
}
SET memory.runs = runs, memory.runs_succeeded = succeeded
