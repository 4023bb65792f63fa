// name: list_turns
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: limit integer
// column: id string
// why: includes turns in the trash, because the conversation is deleted permanently
CYPHER 25
MATCH (turn:Memory {workspace_id: $workspace_id, source_conversation_id: $conversation_id})
WHERE turn.turn_scope IS NOT NULL
  // include: in_scope of turn
RETURN turn.id AS id
LIMIT $limit
