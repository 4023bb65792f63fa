MERGE (thread:AgentCheckpointThread {workspace_id: $workspace_id, id: $thread_id})
  ON CREATE SET thread.created_at = $now, thread.user_id = coalesce($user_id, ''),
                thread.agent_id = coalesce($agent_id, '')
WITH thread
WHERE ($user_id IS NULL OR thread.user_id = $user_id) AND ($agent_id IS NULL OR thread.agent_id = $agent_id)
SET thread.updated_at = $now
