// name: list_untallied
// mode: read
// returns: many
// param: workspace_id string
// param: after_id string
// param: limit integer
// column: id string
CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, untallied: true})
WHERE sequence.id > $after_id
RETURN sequence.id AS id
ORDER BY sequence.id
LIMIT $limit
