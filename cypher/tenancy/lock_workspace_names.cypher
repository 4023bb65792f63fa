// name: lock_workspace_names
// mode: write
// returns: none
// unscoped: names of workspaces are unique in the deployment
// param: now datetime
// why: a writer that takes a name locks the default workspace until its transaction ends, so that no two take the same
//   name
CYPHER 25
MATCH (workspace:Workspace {default_marker: 'default'})
SET workspace.names_taken_at = $now
