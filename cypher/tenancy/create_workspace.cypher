// name: create_workspace
// mode: write
// returns: one
// param: workspace_id string — of the new workspace
// param: name string
// param: settings string — JSON
// param: memory_enabled boolean
// param: now datetime
// column: workspace map
CYPHER 25
CREATE (workspace:Workspace {id: $workspace_id, name: $name, settings: $settings, memory_enabled: $memory_enabled,
                             created_at: $now, updated_at: $now})
RETURN workspace {
  // include: workspace_fields
} AS workspace
