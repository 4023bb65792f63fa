// name: upsert_checkpoint
// mode: write
// returns: optional
// param: workspace_id string
// param: thread_id string
// param: namespace string
// param: id string
// param: user_id string? — whose a new thread becomes; null: everybody's
// param: agent_id string? — likewise
// param: properties map — see graph.conversations.checkpoints.rules
// param: now datetime
// column: is_new boolean — false where it took the place of the one of that id
// why: the thread says whose all of it is; no row where it is another's
CYPHER 25
// include: own_thread
MERGE (checkpoint:AgentCheckpoint {workspace_id: $workspace_id, thread_id: $thread_id, namespace: $namespace, id: $id})
  ON CREATE SET checkpoint.created_at = $now
WITH thread, checkpoint, checkpoint.updated_at IS NULL AS is_new
SET checkpoint += $properties, checkpoint.updated_at = $now, checkpoint.user_id = thread.user_id,
    checkpoint.agent_id = thread.agent_id
RETURN is_new
