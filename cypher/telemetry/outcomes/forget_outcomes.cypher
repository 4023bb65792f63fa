// name: forget_outcomes
// mode: write
// returns: none
// param: workspace_id string
// param: sequence_ids list<string> — of sequences that are about to be deleted
// param: now datetime
CYPHER 25
UNWIND $sequence_ids AS sequence_id
MATCH (:AgentSequence {workspace_id: $workspace_id, id: sequence_id})-[used:USED]->(
  memory:Memory {workspace_id: $workspace_id})
WHERE used.outcome IS NOT NULL
WITH memory, used
ORDER BY memory.id
SET memory.locked_at = $now
WITH memory, used
SET memory.runs = memory.runs - 1,
    memory.runs_succeeded = memory.runs_succeeded - CASE used.outcome WHEN 'SUCCESS' THEN 1 ELSE 0 END
DELETE used
