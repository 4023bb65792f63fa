// name: count_relations_by_type
// mode: read
// returns: many
// param: workspace_id string
// column: name string
// column: relations integer — between live entities
// why: every edge between entities is a relation, except that of a merge, whose source is not live
CYPHER 25
MATCH (source:Entity {workspace_id: $workspace_id})-[edge]->(target:Entity {workspace_id: $workspace_id})
WHERE source.active AND target.active
RETURN type(edge) AS name, count(edge) AS relations
