// name: find_user
// mode: read
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// column: user map — {id, memories, deleted_memories, conversations, runs, since, last_used_at}
CYPHER 25
WITH $id AS id
WHERE $scope.users IS NULL OR id IN $scope.users
// include: kept_of_user
WITH user
WHERE user.since IS NOT NULL
RETURN user
