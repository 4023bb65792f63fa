// name: list_memories_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: limit integer
// column: id string
// column: entity_ids list<string> — what it mentions, which may have come into the world with it
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
WITH memory
LIMIT $limit
RETURN memory.id AS id, COLLECT {
  MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  RETURN entity.id
} AS entity_ids
