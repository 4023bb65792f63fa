// name: delete_passages
// mode: write
// returns: one
// unscoped: one vector index serves all workspaces
// param: slot string
// param: limit integer — passages removed in this transaction
// column: deleted integer — below the limit if none is left
CYPHER 25
MATCH (passage:Passage {slot: $slot})
WITH passage LIMIT $limit
DETACH DELETE passage
RETURN count(*) AS deleted
