// name: find_workspace_named
// mode: read
// returns: optional
// unscoped: names of workspaces are unique in the deployment
// allow: NodeIndexScan — there are few workspaces, because people create them
// param: name string
// param: except_id string — of the workspace that may bear it
// column: id string
CYPHER 25
MATCH (workspace:Workspace)
WHERE toLower(workspace.name) = toLower($name) AND workspace.id <> $except_id AND workspace.deleted_at IS NULL
RETURN workspace.id AS id
LIMIT 1
