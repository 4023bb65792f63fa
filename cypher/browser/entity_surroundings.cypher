// name: entity_surroundings
// mode: read
// returns: many
// param: workspace_id string
// param: id string — an entity
// column: fact path
// why: shows an entity's relations, the memories that mention it, its source, and the agents' actions on it with their
//   sessions
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id, id: $id})
CALL (entity) {
  MATCH fact = (entity)
  RETURN fact
  UNION ALL
  MATCH fact = (entity)--(:Entity {workspace_id: $workspace_id})
  RETURN fact
  LIMIT 50
  UNION ALL
  MATCH fact = (entity)--(:!(Entity|AgentAction) {workspace_id: $workspace_id})
  RETURN fact
  LIMIT 50
  UNION ALL
  MATCH fact = (entity)<-[:TARGETED]-(:AgentAction {workspace_id: $workspace_id})
    <-[:DID]-(:AgentSequence {workspace_id: $workspace_id})
  RETURN fact
  LIMIT 50
}
RETURN fact
