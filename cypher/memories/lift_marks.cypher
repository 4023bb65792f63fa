// name: lift_marks
// mode: write
// returns: none
// param: workspace_id string
// param: marks list<string>
// why: after a restore, extraction may save the statement again
CYPHER 25
UNWIND $marks AS mark
MATCH (tombstone:Tombstone {workspace_id: $workspace_id, id: mark})
USING INDEX tombstone:Tombstone(workspace_id, id)
DELETE tombstone
