// name: list_users
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: only string? — one user's id; null: every user
// param: after_id string — page start: the last row's id, empty for the first page
// param: limit integer
// column: user map — {id, memories, conversations, since, last_used_at}
// why: out of the indexes on (workspace_id, user_id); an empty user_id is that of what everybody shares
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id})
  USING INDEX memory:Memory(workspace_id, user_id)
  WHERE memory.user_id > $after_id
  RETURN DISTINCT memory.user_id AS id
UNION
  MATCH (conversation:Conversation {workspace_id: $workspace_id})
  USING INDEX conversation:Conversation(workspace_id, user_id)
  WHERE conversation.user_id > $after_id
  RETURN DISTINCT conversation.user_id AS id
}
WITH id
WHERE ($only IS NULL OR id = $only) AND ($scope.users IS NULL OR id IN $scope.users)
ORDER BY id
LIMIT $limit
CALL (id) {
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: id})
  WHERE memory.deleted_at IS NULL
  RETURN count(memory) AS memories, min(memory.created_at) AS first_saved_at,
         max(coalesce(memory.last_accessed_at, memory.updated_at)) AS last_read_at
}
CALL (id) {
  MATCH (conversation:Conversation {workspace_id: $workspace_id, user_id: id})
  RETURN count(conversation) AS conversations, min(conversation.created_at) AS first_said_at,
         max(conversation.updated_at) AS last_said_at
}
RETURN {
  id: id, memories: memories, conversations: conversations,
  since: CASE WHEN first_said_at < coalesce(first_saved_at, first_said_at) THEN first_said_at
              ELSE coalesce(first_saved_at, first_said_at) END,
  last_used_at: CASE WHEN last_said_at > coalesce(last_read_at, last_said_at) THEN last_said_at
                     ELSE coalesce(last_read_at, last_said_at) END
} AS user
ORDER BY user.id
