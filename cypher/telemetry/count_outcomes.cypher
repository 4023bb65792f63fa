// name: count_outcomes
// mode: write
// returns: none
// param: workspace_id string
// param: sequence_ids list<string> — locked by this transaction
// why: the edge has the counted outcome, so that a run counts once, and again if its outcome changes
CYPHER 25
UNWIND $sequence_ids AS sequence_id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: sequence_id})-[used:USED]->(
  memory WHERE memory.workspace_id = $workspace_id)
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
WHERE sequence.outcome IS NOT NULL AND coalesce(used.outcome <> sequence.outcome, true)
WITH memory, used, sequence
ORDER BY memory.id, sequence.id
// include: lock of memory
WITH memory, used, sequence
SET memory.runs = coalesce(memory.runs, 0) + CASE WHEN used.outcome IS NULL THEN 1 ELSE 0 END,
    memory.runs_succeeded = coalesce(memory.runs_succeeded, 0)
      + CASE sequence.outcome WHEN 'SUCCESS' THEN 1 ELSE 0 END - CASE used.outcome WHEN 'SUCCESS' THEN 1 ELSE 0 END
SET used.outcome = sequence.outcome
