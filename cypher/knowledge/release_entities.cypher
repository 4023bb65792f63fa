// name: release_entities
// mode: write
// returns: none
// param: workspace_id string
// param: connection_id string
// param: ids list<string>
CYPHER 25
UNWIND $ids AS id
MATCH (entity:Entity {workspace_id: $workspace_id, id: id})-[edge:FROM]->(
  :Connection {workspace_id: $workspace_id, id: $connection_id})
DELETE edge
