// name: chain_messages
// mode: write
// returns: none
// param: workspace_id string
// param: conversation_id string
// param: since integer — first position whose messages changed
// param: until integer — last one
// why: messages are chained by their position, ties by id; only the stretch that changed is drawn again, with its neighbours
CYPHER 25
CALL () {
  OPTIONAL MATCH (earlier:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  WHERE earlier.position < $since
  WITH earlier
  ORDER BY earlier.position DESC, earlier.id DESC
  LIMIT 1
  RETURN collect(earlier) AS before
}
CALL () {
  OPTIONAL MATCH (changed:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  WHERE $since <= changed.position <= $until
  WITH changed
  ORDER BY changed.position, changed.id
  RETURN collect(changed) AS stretch
}
CALL () {
  OPTIONAL MATCH (later:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  WHERE later.position > $until
  WITH later
  ORDER BY later.position, later.id
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
