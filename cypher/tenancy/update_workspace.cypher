// name: update_workspace
// mode: write
// returns: optional
// param: workspace_id string
// param: properties map — the properties to change
// param: now datetime
// column: workspace map
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL
SET workspace += $properties, workspace.updated_at = $now
RETURN workspace {
  // include: workspace_fields
} AS workspace
