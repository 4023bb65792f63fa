// name: update_sequences
// mode: write
// returns: none
// param: workspace_id string
// param: sequences list<map> — {id, properties}
// param: now datetime
// why: a job tallies new actions later
CYPHER 25
UNWIND $sequences AS row
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: row.id})
USING INDEX sequence:AgentSequence(workspace_id, id)
SET sequence += row.properties
SET sequence.active = true, sequence.untallied = true, sequence.updated_at = $now
