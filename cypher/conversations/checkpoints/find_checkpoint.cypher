// name: find_checkpoint
// mode: read
// returns: optional
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: thread_id string
// param: namespace string
// param: lowest string — the id, or what is below every id
// param: highest string — the id, or what is above every id: the latest is meant then
// column: checkpoint map
// why: the last of a range of the unique index is one look-up, whichever is meant
CYPHER 25
MATCH (checkpoint:AgentCheckpoint {workspace_id: $workspace_id, thread_id: $thread_id, namespace: $namespace})
WHERE checkpoint.id >= $lowest AND checkpoint.id <= $highest
  // include: in_scope of checkpoint
WITH checkpoint
ORDER BY checkpoint.workspace_id DESC, checkpoint.thread_id DESC, checkpoint.namespace DESC, checkpoint.id DESC
LIMIT 1
RETURN checkpoint {
    // include: checkpoint_fields
  } AS checkpoint
