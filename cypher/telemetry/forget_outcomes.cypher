// name: forget_outcomes
// mode: write
// returns: one
// param: workspace_id string
// param: sequence_ids list<string> — of sequences that are about to be deleted
// param: limit integer — maximum uses deleted in one transaction
// column: forgotten integer — below the limit if nothing is left
// why: the edge has its counted value, so that it is subtracted once, over any number of transactions
CYPHER 25
UNWIND $sequence_ids AS sequence_id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: sequence_id})-[used:USED]->(
  memory WHERE memory.workspace_id = $workspace_id)
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
WITH memory, used
LIMIT $limit
WITH memory, used
ORDER BY memory.id
// include: lock of memory
WITH memory, used
SET memory.runs = memory.runs - CASE WHEN used.outcome IS NULL THEN 0 ELSE 1 END,
    memory.runs_succeeded = memory.runs_succeeded - CASE used.outcome WHEN 'SUCCESS' THEN 1 ELSE 0 END
DELETE used
RETURN count(*) AS forgotten
