// name: archive_workspace
// mode: write
// returns: optional
// param: workspace_id string
// param: now datetime
// column: id string
// why: keys of an archived workspace stop working immediately; its data stay until a permanent deletion
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL AND workspace.is_default IS NULL
SET workspace.deleted_at = $now
RETURN workspace.id AS id
