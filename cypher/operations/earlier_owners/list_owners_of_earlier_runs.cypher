// name: list_owners_of_earlier_runs
// mode: read
// returns: many
// param: workspace_id string
// column: session_id string
// column: user_id string — the only one
// why: a run that does not say whose it is is somebody's where its session is that of their memories, messages or key, and
//   of no other user's; where a caller named no session, its name was made with the key's id
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id})
  WHERE memory.session_id IS NOT NULL AND memory.user_id <> ''
  RETURN DISTINCT memory.session_id AS session_id, memory.user_id AS user_id
UNION
  MATCH (conversation:Conversation {workspace_id: $workspace_id})
  WHERE conversation.user_id <> ''
  RETURN conversation.id AS session_id, conversation.user_id AS user_id
UNION
  MATCH (message:Message {workspace_id: $workspace_id})
  WHERE message.session_id IS NOT NULL AND message.user_id <> ''
  RETURN DISTINCT message.session_id AS session_id, message.user_id AS user_id
UNION
  MATCH (key:ApiKey {workspace_id: $workspace_id})
  WHERE key.user_id <> ''
  CALL (key) {
    MATCH (run:AgentSequence {workspace_id: $workspace_id})
    WHERE run.session_id CONTAINS key.id
    RETURN run
  }
  RETURN DISTINCT run.session_id AS session_id, key.user_id AS user_id
}
WITH session_id, collect(DISTINCT user_id) AS users
WHERE size(users) = 1
RETURN session_id, users[0] AS user_id
