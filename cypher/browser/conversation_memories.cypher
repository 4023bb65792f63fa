// name: conversation_memories
// mode: read
// returns: many
// param: workspace_id string
// param: id string — a conversation
// column: turn path
// why: shows a conversation and its memories in the order of the messages
CYPHER 25
MATCH turn = (:Conversation {workspace_id: $workspace_id, id: $id})<-[:FROM]-(
  memory:Memory {workspace_id: $workspace_id})
RETURN turn
ORDER BY memory.turn_scope, memory.position
LIMIT 200
