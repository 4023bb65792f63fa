// name: open_untallied
// mode: write
// returns: many
// param: workspace_id string
// param: ids list<string> — of sequences, in order
// column: sequence_id string
// column: action_type string
// column: node_type string
// column: failed boolean
// column: error_code string? — null if nothing failed, empty if a failure had no code
// column: first_at datetime
// column: last_at datetime
// why: reads each distinct attempt since the last tally once, under the sequence's lock, so that two workers never
//   tally the same actions
CYPHER 25
UNWIND $ids AS id
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: id})
USING INDEX SEEK sequence:AgentSequence(workspace_id, id)
// include: lock of sequence
WITH sequence
WHERE sequence.untallied
MATCH (action:AgentAction {workspace_id: $workspace_id, sequence_id: sequence.id})
USING INDEX SEEK action:AgentAction(workspace_id, sequence_id, position)
WHERE action.position >= sequence.tallied_actions
WITH sequence, action, action.outcome <> 'SUCCESS' AS failed
RETURN sequence.id AS sequence_id, action.action_type AS action_type, action.node_type AS node_type, failed,
       CASE WHEN failed THEN coalesce(action.error_code, '') END AS error_code, min(action.occurred_at) AS first_at,
       max(action.occurred_at) AS last_at
