// name: find_workspace_named
// mode: read
// returns: optional
// unscoped: names are told apart over all workspaces
// allow: NodeIndexScan — workspaces are few, and made and renamed by people
// param: name string
// param: except_id string — of the workspace that may bear it
// column: id string
CYPHER 25
MATCH (workspace:Workspace)
WHERE toLower(workspace.name) = toLower($name) AND workspace.id <> $except_id AND workspace.deleted_at IS NULL
RETURN workspace.id AS id
LIMIT 1
