// name: chain_turns
// mode: write
// returns: many
// param: workspace_id string
// param: turn_scope string
// param: conversation_id string — conversation of the turns
// param: since integer — first changed position
// param: until integer — last changed position
// column: id string — the turns of the changed range and one on each side, in order
// column: position integer
// why: links turns by position, then id; relinks only the changed range and its two neighbours, each the first row of an
//   ordered index; locks the conversation, as appends do
CYPHER 25
OPTIONAL MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
// include: lock of conversation
WITH conversation
CALL () {
  MATCH (earlier:Memory {workspace_id: $workspace_id, turn_scope: $turn_scope})
  USING INDEX earlier:Memory(workspace_id, turn_scope, position)
  WHERE earlier.position < $since
  WITH earlier
  ORDER BY earlier.workspace_id DESC, earlier.turn_scope DESC, earlier.position DESC, earlier.id DESC
  LIMIT 1
  RETURN collect(earlier) AS before
}
CALL () {
  MATCH (changed:Memory {workspace_id: $workspace_id, turn_scope: $turn_scope})
  USING INDEX changed:Memory(workspace_id, turn_scope, position)
  WHERE $since <= changed.position <= $until
  WITH changed
  ORDER BY changed.position, changed.id
  RETURN collect(changed) AS stretch
}
CALL () {
  MATCH (later:Memory {workspace_id: $workspace_id, turn_scope: $turn_scope})
  USING INDEX later:Memory(workspace_id, turn_scope, position)
  WHERE later.position > $until
  WITH later
  ORDER BY later.workspace_id, later.turn_scope, later.position, later.id
  LIMIT 1
  RETURN collect(later) AS after
}
WITH before + stretch + after AS chain
CALL (chain) {
  UNWIND chain AS turn
  MATCH (turn)-[old:NEXT]->(other:Memory {workspace_id: $workspace_id})
  WHERE turn <> chain[-1] OR other IN chain
  DELETE old
}
CALL (chain) {
  UNWIND range(1, size(chain) - 1) AS place
  WITH chain[place - 1] AS turn, chain[place] AS following
  CREATE (turn)-[:NEXT]->(following)
}
UNWIND chain AS turn
RETURN turn.id AS id, turn.position AS position
