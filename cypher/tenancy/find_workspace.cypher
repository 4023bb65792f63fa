// name: find_workspace
// mode: read
// returns: optional
// param: workspace_id string
// column: workspace map
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL
RETURN workspace {
  // include: workspace_fields
} AS workspace
