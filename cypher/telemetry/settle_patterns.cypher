// name: settle_patterns
// mode: write
// returns: none
// param: workspace_id string
// param: patterns list<map> — {id, properties}
// param: now datetime
// why: does not write note and suppressed, so that they survive every promotion and demotion
CYPHER 25
UNWIND $patterns AS row
MATCH (failure:AgentFailure {workspace_id: $workspace_id, id: row.id})
USING INDEX failure:AgentFailure(workspace_id, id)
SET failure:AgentPattern
SET failure += row.properties
SET failure.updated_at = $now
