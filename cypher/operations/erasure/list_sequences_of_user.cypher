// name: list_sequences_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: limit integer
// column: id string
// why: a run has no user; it is somebody's where its session is that of their memories, messages or key, and of no other
//   user's; where a caller names no session, its name is made with the key's id
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
  WHERE memory.session_id IS NOT NULL
  RETURN DISTINCT memory.session_id AS session_id
UNION
  MATCH (conversation:Conversation {workspace_id: $workspace_id, user_id: $user_id})
  RETURN conversation.id AS session_id
UNION
  MATCH (conversation:Conversation {workspace_id: $workspace_id, user_id: $user_id})
        <-[:PART_OF]-(message:Message {workspace_id: $workspace_id})
  WHERE message.session_id IS NOT NULL
  RETURN DISTINCT message.session_id AS session_id
UNION
  MATCH (key:ApiKey {workspace_id: $workspace_id})
  WHERE key.user_id = $user_id
  CALL (key) {
    MATCH (run:AgentSequence {workspace_id: $workspace_id})
    WHERE run.session_id CONTAINS key.id
    RETURN run
  }
  RETURN DISTINCT run.session_id AS session_id
}
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, session_id: session_id})
WHERE NOT EXISTS {
  MATCH (other:Memory {workspace_id: $workspace_id, session_id: session_id})
  WHERE NOT other.user_id IN [$user_id, '']
}
RETURN DISTINCT sequence.id AS id
LIMIT $limit
