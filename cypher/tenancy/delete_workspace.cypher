// name: delete_workspace
// mode: write
// returns: optional
// param: workspace_id string
// column: id string
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.is_default IS NULL
WITH workspace, workspace.id AS id
DETACH DELETE workspace
RETURN id
