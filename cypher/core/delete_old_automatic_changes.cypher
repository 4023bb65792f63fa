// name: delete_old_automatic_changes
// mode: write
// returns: one
// unscoped: the sweeper serves all workspaces
// param: before datetime
// param: limit integer — maximum nodes removed in one transaction
// column: deleted integer — below the limit if none is left
CYPHER 25
MATCH (change:AutomaticChange)
WHERE change.created_at < $before
WITH change
LIMIT $limit
DETACH DELETE change
RETURN count(*) AS deleted
