// name: lock_turns_around
// mode: write
// returns: many
// param: workspace_id string
// param: turn_scope string
// param: first_position integer
// param: last_position integer
// column: id string
// why: keeps the turns unchanged until the caller's write is committed; a read after it sees turns appended while it
//   waited
CYPHER 25
MATCH (turn:Memory {workspace_id: $workspace_id, turn_scope: $turn_scope})
WHERE $first_position <= turn.position <= $last_position
  AND turn.active
WITH turn
ORDER BY turn.position
// include: lock of turn
RETURN turn.id AS id
