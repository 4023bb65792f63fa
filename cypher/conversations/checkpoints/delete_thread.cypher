// name: delete_thread
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: id string
// param: limit integer — how many nodes one transaction removes
// param: most_bytes integer — after so many bytes of states it removes no more
// column: deleted integer — 0 once nothing was left, and the thread itself is gone
// why: the lock comes first, so that a save is either gone with the thread or begins a new one
CYPHER 25
MATCH (thread:AgentCheckpointThread {workspace_id: $workspace_id, id: $id})
WHERE true
  // include: in_scope of thread
// include: lock of thread
WITH thread
CALL () {
  CALL () {
    MATCH (part:AgentCheckpoint {workspace_id: $workspace_id, thread_id: $id})
    WHERE part.id >= ''
    RETURN part
  UNION ALL
    MATCH (part:AgentCheckpointWrite {workspace_id: $workspace_id, thread_id: $id})
    WHERE part.checkpoint_id >= ''
    RETURN part
  }
  // include: within_bytes
  DETACH DELETE part
  RETURN count(*) AS deleted
}
FOREACH (done IN CASE deleted WHEN 0 THEN [thread] ELSE [] END | DETACH DELETE done)
RETURN deleted
