// name: forget_outcomes
// mode: write
// returns: none
// param: workspace_id string
// param: sequence_ids list<string> — of sequences that are about to be deleted
CYPHER 25
UNWIND $sequence_ids AS sequence_id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: sequence_id})-[used:USED]->(
  memory WHERE memory.workspace_id = $workspace_id)
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
WHERE used.outcome IS NOT NULL
WITH memory, used
ORDER BY memory.id
// include: lock of memory
WITH memory, used
SET memory.runs = memory.runs - 1,
    memory.runs_succeeded = memory.runs_succeeded - CASE used.outcome WHEN 'SUCCESS' THEN 1 ELSE 0 END
DELETE used
