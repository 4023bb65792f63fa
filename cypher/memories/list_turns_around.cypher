// name: list_turns_around
// mode: read
// returns: many
// param: workspace_id string
// param: turn_scope string
// param: first_position integer
// param: last_position integer
// column: id string
// column: position integer
// column: content string
// column: speaker string?
// column: timestamp datetime
// column: key string?
// column: tags list<string>?
// column: keywords list<string>?
// column: metadata string? — JSON
CYPHER 25
MATCH (turn:Memory {workspace_id: $workspace_id, turn_scope: $turn_scope})
WHERE $first_position <= turn.position <= $last_position
  AND turn.active
RETURN turn.id AS id, turn.position AS position, turn.content AS content, turn.speaker AS speaker,
       turn.timestamp AS timestamp, turn.key AS key, turn.tags AS tags, turn.keywords AS keywords,
       turn.metadata AS metadata
ORDER BY position
