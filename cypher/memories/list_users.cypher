// name: list_users
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: after_id string — page start: the last row's id, empty for the first page
// param: limit integer
// column: user map — {id, memories, deleted_memories, conversations, runs, since, last_used_at}
// why: reads each index on (workspace_id, user_id) in order and only as far as the page needs; skips the empty user_id of
//   shared data
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id})
  USING INDEX memory:Memory(workspace_id, user_id)
  WHERE memory.user_id > $after_id AND ($scope.users IS NULL OR memory.user_id IN $scope.users)
  WITH DISTINCT memory.workspace_id AS workspace_id, memory.user_id AS id
  ORDER BY workspace_id, id
  LIMIT $limit
  RETURN id
UNION
  MATCH (conversation:Conversation {workspace_id: $workspace_id})
  USING INDEX conversation:Conversation(workspace_id, user_id)
  WHERE conversation.user_id > $after_id AND ($scope.users IS NULL OR conversation.user_id IN $scope.users)
  WITH DISTINCT conversation.workspace_id AS workspace_id, conversation.user_id AS id
  ORDER BY workspace_id, id
  LIMIT $limit
  RETURN id
UNION
  MATCH (sequence:AgentSequence {workspace_id: $workspace_id})
  USING INDEX sequence:AgentSequence(workspace_id, user_id)
  WHERE sequence.user_id > $after_id AND ($scope.users IS NULL OR sequence.user_id IN $scope.users)
  WITH DISTINCT sequence.workspace_id AS workspace_id, sequence.user_id AS id
  ORDER BY workspace_id, id
  LIMIT $limit
  RETURN id
}
WITH id
ORDER BY id
LIMIT $limit
// include: kept_of_user
RETURN user
ORDER BY user.id
