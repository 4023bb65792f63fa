// name: lock_workspace_names
// mode: write
// returns: none
// unscoped: names are told apart over all workspaces
// param: now datetime
// why: who takes a name holds the default workspace until its transaction ends, so no two take the same one
CYPHER 25
MATCH (workspace:Workspace {default_marker: 'default'})
SET workspace.names_taken_at = $now
