// name: note_restore
// mode: write
// returns: one
// param: workspace_id string
// param: digest string? — archive that is being restored; null after the end
// column: before string? — value stored so far
// why: distinguishes an interrupted restore from a restore of another archive
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WITH workspace, workspace.restoring AS before
SET workspace.restoring = $digest
RETURN before
