// name: list_untallied
// mode: read
// returns: many
// param: workspace_id string
// param: after_id string
// param: limit integer
// column: id string
// why: without the hint, a plan cached while the store was small would read every sequence of a long history
CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, untallied: true})
USING INDEX sequence:AgentSequence(workspace_id, untallied)
WHERE sequence.id > $after_id
RETURN sequence.id AS id
ORDER BY sequence.id
LIMIT $limit
