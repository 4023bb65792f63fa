// name: ensure_default_workspace
// mode: write
// returns: one
// unscoped: runs at start, before there is a workspace
// param: id string — used if there is no default workspace yet
// param: memory_enabled boolean — of a new one
// param: now datetime
// column: workspace map
// why: default_marker is unique, so processes that start together agree on one default workspace
CYPHER 25
MERGE (workspace:Workspace {default_marker: 'default'})
  ON CREATE SET workspace.id = $id, workspace.name = 'default', workspace.settings = '{}', workspace.is_default = true,
                workspace.memory_enabled = $memory_enabled, workspace.created_at = $now, workspace.updated_at = $now
RETURN workspace {
  // include: workspace_fields
} AS workspace
