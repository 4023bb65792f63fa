// name: lock_sequences
// mode: write
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: ids list<string> — in one order for all
// column: id string — of a sequence that is there, and within the scope
// why: what is deleted together with what counts it is filtered once, before either
CYPHER 25
UNWIND $ids AS id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: id})
USING INDEX sequence:AgentSequence(workspace_id, id)
WHERE true
  // include: in_scope of sequence
// include: lock of sequence
RETURN sequence.id AS id
