// name: write_fillers
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
// param: properties map — texts of one record each, and a list of numbers
// why: the store keeps deleted bytes until it needs the space; fillers overwrite the space and are deleted again
CYPHER 25
UNWIND $ids AS id
CREATE (filler:Tombstone {workspace_id: $workspace_id, id: id})
SET filler += $properties
