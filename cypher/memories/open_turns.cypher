// name: open_turns
// mode: write
// returns: many
// param: workspace_id string
// param: scopes list<map> — {turn_scope, conversation_id, user_id, agent_id}
// param: window integer — maximum of returned live turns; the query reads the last 2 × window turns
// param: now datetime
// column: turn_scope string
// column: last map? — {id, position} of the last turn, live or not
// column: tail list<map> — {id, content, speaker} of the last live turns, in order
// column: conversation_id string
// column: user_id string — owner of the conversation; empty: shared
// column: has_left boolean — whether the conversation moved to another workspace while this query waited for its lock
// why: the write to the conversation locks it, so that two appends cannot read the same tail and fork the chain; locks the
//   turns too, so that a turn deleted concurrently does not get into the window of the next
CYPHER 25
UNWIND $scopes AS scope
MERGE (conversation:Conversation {workspace_id: $workspace_id, id: scope.conversation_id})
  ON CREATE SET conversation.created_at = $now, conversation.user_id = scope.user_id,
                conversation.agent_id = scope.agent_id
SET conversation.updated_at = $now
WITH scope, coalesce(conversation.user_id, '') AS user_id, conversation['workspace_id'] <> $workspace_id AS has_left
CALL (scope) {
  MATCH (turn:Memory {workspace_id: $workspace_id, turn_scope: scope.turn_scope})
  WHERE turn.position >= 0
  WITH turn
  ORDER BY turn.workspace_id DESC, turn.turn_scope DESC, turn.position DESC
  LIMIT 2 * $window
  WITH turn
  ORDER BY turn.position
  // include: lock of turn
  WITH turn
  ORDER BY turn.position DESC
  WITH collect(turn) AS turns
  WITH head(turns) AS last, reverse([turn IN turns WHERE turn['active']][..$window]) AS live
  RETURN last {.id, .position} AS last, [turn IN live | turn {.id, .content, .speaker}] AS tail
}
RETURN scope.turn_scope AS turn_scope, last, tail, scope.conversation_id AS conversation_id, user_id, has_left
