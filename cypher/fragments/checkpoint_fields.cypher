.workspace_id, .thread_id, .namespace, .id, .parent_id, .state_type, .state, .metadata, .user_id, .agent_id,
.created_at, .updated_at,
writes: COLLECT {
  MATCH (write:AgentCheckpointWrite {
    workspace_id: $workspace_id, thread_id: checkpoint.thread_id, checkpoint_id: checkpoint.id})
  WHERE write.namespace = checkpoint.namespace
    // include: in_scope of write
  RETURN write {.task_id, .task_path, .position, .channel, .value_type, .value}
  ORDER BY write.task_path, write.task_id, write.position
}
