CALL (id) {
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: id})
  RETURN count(CASE WHEN memory.deleted_at IS NULL THEN 1 END) AS memories, count(memory.deleted_at) AS deleted_memories,
         min(memory.created_at) AS first_saved_at, max(coalesce(memory.last_accessed_at, memory.updated_at)) AS last_read_at
}
CALL (id) {
  MATCH (conversation:Conversation {workspace_id: $workspace_id, user_id: id})
  RETURN count(conversation) AS conversations, min(conversation.created_at) AS first_said_at,
         max(conversation.updated_at) AS last_said_at
}
CALL (id) {
  MATCH (sequence:AgentSequence {workspace_id: $workspace_id, user_id: id})
  USING INDEX sequence:AgentSequence(workspace_id, user_id)
  RETURN count(sequence.ended_at) AS runs, min(sequence.created_at) AS first_run_at, max(sequence.updated_at) AS last_run_at
}
WITH id, memories, deleted_memories, conversations, runs,
     [at IN [first_saved_at, first_said_at, first_run_at] WHERE at IS NOT NULL] AS beginnings,
     [at IN [last_read_at, last_said_at, last_run_at] WHERE at IS NOT NULL] AS ends
WITH {
  id: id, memories: memories, deleted_memories: deleted_memories, conversations: conversations, runs: runs,
  since: reduce(first = head(beginnings), at IN beginnings | CASE WHEN at < first THEN at ELSE first END),
  last_used_at: reduce(last = head(ends), at IN ends | CASE WHEN at > last THEN at ELSE last END)
} AS user
