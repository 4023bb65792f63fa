// name: find_tombstones
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: id string
CYPHER 25
UNWIND $ids AS id
MATCH (tombstone:Tombstone {workspace_id: $workspace_id, id: id})
USING INDEX tombstone:Tombstone(workspace_id, id)
RETURN tombstone.id AS id
