// name: find_targets
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: names list<string> — ids of nodes, or keys of entities
// param: kinds list<string> — labels of the nodes that may be found
// column: name string
// column: id string
// column: kind string — its label
// column: type string? — of an entity
// why: a surface knows the id or key in a call, and the graph finds the node; includes soft-deleted nodes
CYPHER 25
UNWIND $names AS name
CALL (name) {
  MATCH (entity:Entity {workspace_id: $workspace_id, key: name})
  USING INDEX entity:Entity(workspace_id, key)
  RETURN entity AS node
UNION
  WITH name AS id
  // include: target_of_id
  RETURN node
}
WITH name, node, head([label IN labels(node) WHERE label IN $kinds]) AS kind
WHERE kind IS NOT NULL
RETURN name, node.id AS id, kind, CASE kind WHEN 'Entity' THEN node.type END AS type
