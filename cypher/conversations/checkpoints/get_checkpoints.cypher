// name: get_checkpoints
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: keys list<map> — {thread_id, namespace, id}
// column: checkpoint map
CYPHER 25
UNWIND $keys AS key
MATCH (checkpoint:AgentCheckpoint {
  workspace_id: $workspace_id, thread_id: key.thread_id, namespace: key.namespace, id: key.id})
USING INDEX checkpoint:AgentCheckpoint(workspace_id, thread_id, namespace, id)
WHERE true
  // include: in_scope of checkpoint
RETURN checkpoint {
    // include: checkpoint_fields
  } AS checkpoint
