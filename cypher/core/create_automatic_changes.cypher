// name: create_automatic_changes
// mode: write
// returns: none
// param: workspace_id string
// param: changes list<map> — properties of each, in the order in which they happened
// param: now datetime
// why: gives the changes of one transaction ascending times, so that the list shows them in order
CYPHER 25
UNWIND range(0, size($changes) - 1) AS place
CREATE (change:AutomaticChange {workspace_id: $workspace_id})
SET change += $changes[place], change.created_at = $now + duration({microseconds: place})
