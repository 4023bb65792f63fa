// name: note_restore
// mode: write
// returns: one
// param: workspace_id string
// param: digest string? — of the archive that is being restored; null once that is done
// column: before string? — what was noted until now
// why: distinguishes an interrupted restore from a restore of another archive
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WITH workspace, workspace.restoring AS before
SET workspace.restoring = $digest
RETURN before
