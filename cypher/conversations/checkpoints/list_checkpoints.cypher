// name: list_checkpoints
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: namespace string? — null: of every one
// param: up_to string — the highest id that may be among them
// param: before string? — only ids below this one
// param: after_id string? — page start: the last row's id
// param: after_thread_id string? — page start: the last row's thread
// param: after_namespace string? — page start: the last row's namespace
// param: pairs list<string> — of the metadata, as graph.conversations.checkpoints.metadata writes them
// param: absent list<string> — beginnings of pairs that the metadata must not have
// param: limit integer
// column: thread_id string
// column: namespace string
// column: id string
// column: size integer — bytes of its state, and of what its tasks wrote
// why: the latest of all threads first, out of the index on (workspace_id, id); threads and namespaces break ties
CYPHER 25
MATCH (checkpoint:AgentCheckpoint {workspace_id: $workspace_id})
WHERE checkpoint.id <= $up_to
  // include: checkpoint_page
  // include: in_scope of checkpoint
WITH checkpoint
ORDER BY checkpoint.workspace_id DESC, checkpoint.id DESC, checkpoint.thread_id DESC, checkpoint.namespace DESC
LIMIT $limit
// include: checkpoint_row
