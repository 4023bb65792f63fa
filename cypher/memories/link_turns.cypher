// name: link_turns
// mode: write
// returns: none
// param: workspace_id string
// param: turns list<map> — {id, conversation_id, message_id or null, previous_id or null}
// param: now datetime
// why: the chain a turn stands in lets recall find it through its neighbours
CYPHER 25
UNWIND $turns AS row
MATCH (turn:Memory {workspace_id: $workspace_id, id: row.id})
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: row.conversation_id})
CREATE (turn)-[:FROM]->(conversation)
WITH turn, row
CALL (turn, row) {
  WITH turn, row
  WHERE row.message_id IS NOT NULL
  MERGE (message:Message {workspace_id: $workspace_id, id: row.message_id})
    ON CREATE SET message.conversation_id = row.conversation_id, message.created_at = $now
  CREATE (turn)-[:FROM]->(message)
}
CALL (turn, row) {
  WITH turn, row
  WHERE row.previous_id IS NOT NULL
  MATCH (previous:Memory {workspace_id: $workspace_id, id: row.previous_id})
  CREATE (previous)-[:NEXT]->(turn)
}
