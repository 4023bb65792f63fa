// name: write_fillers
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
// param: properties map — texts of one record each, and a list of numbers
// why: the store keeps what was deleted until it needs the room; these take the room and are deleted again, so that what
//   is left there says nothing
CYPHER 25
UNWIND $ids AS id
CREATE (filler:Tombstone {workspace_id: $workspace_id, id: id})
SET filler += $properties
