// name: upsert_checkpoint_writes
// mode: write
// returns: optional
// param: workspace_id string
// param: thread_id string
// param: namespace string
// param: checkpoint_id string
// param: task_id string
// param: user_id string? — whose a new thread becomes; null: everybody's
// param: agent_id string? — likewise
// param: writes list<map> — {position, properties}
// param: now datetime
// column: stored integer — how many are new, or took the place of the one before
// why: what a task has written stays as it was first, but for what stands before its writes, such as an error;
//   writes may come before their checkpoint, which is saved at the same time
CYPHER 25
// include: own_thread
CALL (thread) {
  UNWIND $writes AS row
  MERGE (write:AgentCheckpointWrite {
    workspace_id: $workspace_id, thread_id: $thread_id, namespace: $namespace, checkpoint_id: $checkpoint_id,
    task_id: $task_id, position: row.position})
    ON CREATE SET write.created_at = $now
  WITH thread, write, row
  WHERE write.size IS NULL OR row.position < 0
  SET write += row.properties, write.user_id = thread.user_id, write.agent_id = thread.agent_id
  RETURN count(write) AS stored
}
RETURN stored
