// name: lock_sequences
// mode: write
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: ids list<string> — in one order for all
// column: id string — of a sequence that is there, and within the scope with all that was done in it
// why: filters a sequence and its counters by deletion once, before reading either; a run belongs to the agent of its first
//   action, but others may continue it, so the query also reads the actions, under the lock that new ones wait for
CYPHER 25
UNWIND $ids AS id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: id})
USING INDEX sequence:AgentSequence(workspace_id, id)
WHERE true
  // include: in_scope of sequence
// include: lock of sequence
WITH sequence
WHERE $scope.agents IS NULL OR NOT EXISTS {
  MATCH (action:AgentAction {workspace_id: $workspace_id, sequence_id: sequence.id})
  USING INDEX SEEK action:AgentAction(workspace_id, sequence_id, position)
  WHERE action.position >= 0 AND NOT coalesce(action.agent_id, '') IN $scope.agents
}
RETURN sequence.id AS id
