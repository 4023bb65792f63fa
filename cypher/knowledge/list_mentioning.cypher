// name: list_mentioning
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: entity_ids list<string>
// param: examined integer — maximum edges examined per entity, which bounds the cost of hubs
// param: limit integer — of each entity, the latest first
// param: now datetime
// column: mention map — see graph.knowledge.linking.models.MentionEdge; of live memories
CYPHER 25
UNWIND $entity_ids AS entity_id
MATCH (entity:Entity {workspace_id: $workspace_id, id: entity_id})
USING INDEX entity:Entity(workspace_id, id)
CALL (entity) {
  MATCH (entity)<-[edge:MENTIONS]-(memory:Memory {workspace_id: $workspace_id})
  WITH edge, memory
  LIMIT $examined
  WITH edge, memory
  WHERE memory.active AND coalesce(memory.expires_at > $now, true)
    // include: in_scope
  RETURN edge, memory
  ORDER BY memory.created_at DESC, memory.id
  LIMIT $limit
}
RETURN {memory_id: memory.id, entity_id: entity_id, how: edge.how, surface: edge.surface, created_at: edge.created_at} AS mention
