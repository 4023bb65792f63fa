// name: chain_messages
// mode: write
// returns: none
// param: workspace_id string
// param: conversation_id string
// param: since integer — first position with changed messages
// param: until integer — last position with changed messages
// why: NEXT edges follow the position, then the id; the query replaces only the edges between the changed messages and their
//   two neighbours, each of which is the first row of an index scan
CYPHER 25
CALL () {
  MATCH (earlier:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  USING INDEX earlier:Message(workspace_id, conversation_id, position)
  WHERE earlier.position < $since
  WITH earlier
  ORDER BY earlier.workspace_id DESC, earlier.conversation_id DESC, earlier.position DESC, earlier.id DESC
  LIMIT 1
  RETURN collect(earlier) AS before
}
CALL () {
  MATCH (changed:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  USING INDEX changed:Message(workspace_id, conversation_id, position)
  WHERE $since <= changed.position <= $until
  WITH changed
  ORDER BY changed.position, changed.id
  RETURN collect(changed) AS stretch
}
CALL () {
  MATCH (later:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  USING INDEX later:Message(workspace_id, conversation_id, position)
  WHERE later.position > $until
  WITH later
  ORDER BY later.workspace_id, later.conversation_id, later.position, later.id
  LIMIT 1
  RETURN collect(later) AS after
}
WITH before + stretch + after AS chain
CALL (chain) {
  UNWIND chain AS message
  MATCH (message)-[old:NEXT]->(other:Message {workspace_id: $workspace_id})
  WHERE message <> chain[-1] OR other IN chain
  DELETE old
}
CALL (chain) {
  UNWIND range(1, size(chain) - 1) AS place
  WITH chain[place - 1] AS message, chain[place] AS following
  CREATE (message)-[:NEXT]->(following)
}
