// name: delete_distillation
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: is_wanted boolean — whether the workspace's memory is on
// why: returns no row if another transaction deleted the text, or moved it to another workspace, while this query waited
//   for its lock
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
MATCH (pending:Distillation {workspace_id: $workspace_id, id: $id})
// include: lock of pending
WITH workspace, pending
WHERE pending['workspace_id'] = $workspace_id
DELETE pending
RETURN workspace.memory_enabled AND workspace.deleted_at IS NULL AS is_wanted
