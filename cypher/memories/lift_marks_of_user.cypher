// name: lift_marks_of_user
// mode: write
// returns: none
// param: workspace_id string
// param: suffix string — suffix of all marks of one user
CYPHER 25
MATCH (tombstone:Tombstone {workspace_id: $workspace_id})
WHERE tombstone.id ENDS WITH $suffix
DELETE tombstone
