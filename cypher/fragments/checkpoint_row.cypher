CALL (checkpoint) {
  MATCH (write:AgentCheckpointWrite {
    workspace_id: $workspace_id, thread_id: checkpoint.thread_id, checkpoint_id: checkpoint.id})
  WHERE write.namespace = checkpoint.namespace
  RETURN coalesce(sum(write.size), 0) AS size_of_writes
}
RETURN checkpoint.thread_id AS thread_id, checkpoint.namespace AS namespace, checkpoint.id AS id,
       coalesce(checkpoint.size, 0) + size_of_writes AS size
