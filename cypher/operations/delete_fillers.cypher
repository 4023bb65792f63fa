// name: delete_fillers
// mode: write
// returns: one
// param: workspace_id string
// param: prefix string — of their ids
// param: limit integer — maximum removed in one transaction
// column: deleted integer — below the limit if none is left
CYPHER 25
MATCH (filler:Tombstone {workspace_id: $workspace_id})
WHERE filler.id STARTS WITH $prefix
WITH filler
LIMIT $limit
DETACH DELETE filler
RETURN count(*) AS deleted
