// name: open_turns
// mode: write
// returns: many
// param: workspace_id string
// param: scopes list<map> — {turn_scope, conversation_id, user_id, agent_id}
// param: window integer — how many of the last turns are returned
// param: now datetime
// column: turn_scope string
// column: tail list<map> — {id, position, content, speaker} of the last turns so far, in order
// column: conversation_id string
// column: user_id string — whose conversation it is; empty: everybody's
// why: writing to the conversation first takes its lock, so that two appends cannot both see the same tail and fork the chain
CYPHER 25
UNWIND $scopes AS scope
MERGE (conversation:Conversation {workspace_id: $workspace_id, id: scope.conversation_id})
  ON CREATE SET conversation.created_at = $now, conversation.user_id = scope.user_id,
                conversation.agent_id = scope.agent_id
SET conversation.updated_at = $now
WITH scope, coalesce(conversation.user_id, '') AS user_id
CALL (scope) {
  MATCH (turn:Memory {workspace_id: $workspace_id, turn_scope: scope.turn_scope})
  WHERE turn.position >= 0
  WITH turn
  ORDER BY turn.position DESC
  LIMIT $window
  WITH turn
  ORDER BY turn.position
  RETURN collect(turn {.id, .position, .content, .speaker}) AS tail
}
RETURN scope.turn_scope AS turn_scope, tail, scope.conversation_id AS conversation_id, user_id
