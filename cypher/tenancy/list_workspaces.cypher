// name: list_workspaces
// mode: read
// returns: many
// unscoped: administrators list all workspaces
// param: called string? — only the workspace with this id and those with this name; null: all
// param: after_created datetime?
// param: after_id string?
// param: limit integer
// column: workspace map
// allow: NodeByLabelScan — a deployment has thousands of workspaces at most
CYPHER 25
MATCH (workspace:Workspace)
WHERE workspace.deleted_at IS NULL
  AND ($called IS NULL OR workspace.id = $called OR workspace.name = $called)
  AND ($after_created IS NULL OR workspace.created_at > $after_created
       OR (workspace.created_at = $after_created AND workspace.id > $after_id))
WITH workspace
ORDER BY workspace.created_at, workspace.id
LIMIT $limit
RETURN workspace {
  // include: workspace_fields
} AS workspace
