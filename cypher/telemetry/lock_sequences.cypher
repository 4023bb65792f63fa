// name: lock_sequences
// mode: write
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string> — in the same order in every transaction
// column: id string — of an existing sequence whose actions all lie within the scope
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
