// name: delete_relation
// mode: write
// returns: optional
// param: workspace_id string
// param: from_id string
// param: to_id string
// param: type string
// column: id string
CYPHER 25
MATCH (source:Entity {workspace_id: $workspace_id, id: $from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: $to_id})
MATCH (source)-[edge]->(target)
WHERE type(edge) = $type
WITH edge, edge.id AS id
DELETE edge
RETURN id
