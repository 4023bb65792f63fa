// name: list_relation_properties
// mode: read
// returns: many
// param: workspace_id string
// param: relations list<map> — {id, from_id, to_id, type}
// column: id string
// column: properties string
CYPHER 25
UNWIND $relations AS row
MATCH (source:Entity {workspace_id: $workspace_id, id: row.from_id})
USING INDEX source:Entity(workspace_id, id)
MATCH (target:Entity {workspace_id: $workspace_id, id: row.to_id})
USING INDEX target:Entity(workspace_id, id)
MATCH (source)-[edge]->(target)
WHERE type(edge) = row.type
RETURN row.id AS id, edge.properties AS properties
