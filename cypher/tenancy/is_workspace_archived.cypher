// name: is_workspace_archived
// mode: read
// returns: optional
// param: workspace_id string
// column: is_archived boolean
// why: what a removal that was interrupted left is removed by the next one; no row where there is no such workspace
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
RETURN workspace.deleted_at IS NOT NULL AS is_archived
