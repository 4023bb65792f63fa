// name: list_searched_without_user
// mode: read
// returns: many
// unscoped: what every workspace stored before; each row says its own
// param: after string — "<id> <workspace>" of the last node before; ids have no blanks
// param: limit integer
// column: workspace_id string
// column: id string
// column: place string — as after
// column: user_id string
CYPHER 25
MATCH (node:Searchable)
WHERE node.id >= split($after, ' ')[0] AND node.id + ' ' + node.workspace_id > $after
  AND node.search_user IS NULL AND node:Memory|Episode|AgentSequence
RETURN node.workspace_id AS workspace_id, node.id AS id, node.id + ' ' + node.workspace_id AS place,
       coalesce(node.user_id, '') AS user_id
ORDER BY node.id, node.workspace_id
LIMIT $limit
