// name: list_associations
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: memory_ids list<string>
// param: limit integer — maximum per memory, the strongest first
// param: now datetime
// column: memory_id string
// column: association map
// why: reads both directions, so that a memory shows its successors and predecessors
CYPHER 25
UNWIND $memory_ids AS memory_id
MATCH (memory:Memory {workspace_id: $workspace_id, id: memory_id})
USING INDEX memory:Memory(workspace_id, id)
WHERE true
  // include: in_scope
CALL (memory) {
  MATCH (memory)-[edge:
    // include: association_types
  ]-(
    other:Memory {workspace_id: $workspace_id})
  WHERE other.deleted_at IS NULL AND coalesce(other.expires_at > $now, true)
    // include: in_scope of other
  RETURN edge
  ORDER BY edge.strength DESC, edge.created_at DESC, edge.id
  LIMIT $limit
}
RETURN memory_id, {
  id: edge.id, type: type(edge), strength: edge.strength, created_at: edge.created_at,
  from_id: startNode(edge).id, to_id: endNode(edge).id
} AS association
