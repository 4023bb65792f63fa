// name: list_shared_entities
// mode: read
// returns: many
// param: workspace_id string
// param: memory_ids list<string> — none of turns
// param: entity_limit integer — maximum entities examined per memory
// param: mention_limit integer — maximum mentions examined per entity, which bounds the cost of hubs
// param: now datetime
// column: shared map — see graph.knowledge.linking.models.SharedEntity
// why: turns of one conversation need no edge, and memories of other owners stay private
CYPHER 25
UNWIND $memory_ids AS memory_id
MATCH (memory:Memory {workspace_id: $workspace_id, id: memory_id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.active
CALL (memory) {
  MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  WHERE entity.active
  RETURN entity
  ORDER BY entity.id
  LIMIT $entity_limit
}
CALL (memory, entity) {
  MATCH (entity)<-[:MENTIONS]-(other:Memory {workspace_id: $workspace_id})
  WITH memory, other
  LIMIT $mention_limit
  RETURN count(other) AS mentioning, collect(CASE
    WHEN other <> memory AND other.active AND other.turn_scope IS NULL AND coalesce(other.expires_at > $now, true)
      AND coalesce(other.user_id, '') = coalesce(memory.user_id, '')
      AND coalesce(other.agent_id, '') = coalesce(memory.agent_id, '')
    THEN other.id
  END) AS other_ids
}
RETURN {memory_id: memory_id, entity_id: entity.id, mentioning: mentioning, other_ids: other_ids} AS shared
