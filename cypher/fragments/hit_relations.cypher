// The strongest relations of a hit to other live memories.
CALL (memory) {
  OPTIONAL MATCH (memory)-[edge:
    // include: association_types
  ]-(
    other:Memory {workspace_id: $workspace_id})
  WHERE other.active AND $relation_limit > 0
    // include: in_scope of other
  WITH memory, edge, other
  ORDER BY coalesce(edge.strength, 0.0) DESC, edge.created_at DESC, edge.id
  LIMIT CASE $relation_limit WHEN 0 THEN 1 ELSE $relation_limit END
  RETURN collect(CASE WHEN edge IS NULL THEN null ELSE {
    id: edge.id, type: type(edge), direction: CASE WHEN startNode(edge) = memory THEN 'OUT' ELSE 'IN' END,
    strength: edge.strength, created_at: edge.created_at, other_id: other.id
  } END) AS relations
}
