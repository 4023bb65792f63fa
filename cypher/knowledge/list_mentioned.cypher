// name: list_mentioned
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: memory_ids list<string>
// param: limit integer — of each memory
// column: mention map — see graph.knowledge.linking.models.MentionEdge; of live entities, by their names
CYPHER 25
UNWIND $memory_ids AS memory_id
MATCH (memory:Memory {workspace_id: $workspace_id, id: memory_id})
USING INDEX memory:Memory(workspace_id, id)
WHERE true
  // include: in_scope
CALL (memory) {
  MATCH (memory)-[edge:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  WHERE entity.active
  RETURN edge, entity
  ORDER BY entity.name, entity.id
  LIMIT $limit
}
RETURN {memory_id: memory_id, entity_id: entity.id, how: edge.how, surface: edge.surface, created_at: edge.created_at} AS mention
