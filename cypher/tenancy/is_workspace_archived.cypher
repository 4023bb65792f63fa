// name: is_workspace_archived
// mode: read
// returns: optional
// param: workspace_id string
// column: is_archived boolean
// why: the next deletion continues an interrupted one; returns no row if the workspace does not exist
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
RETURN workspace.deleted_at IS NOT NULL AS is_archived
