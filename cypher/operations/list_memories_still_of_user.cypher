// name: list_memories_still_of_user
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string
// param: ids list<string>
// column: id string — those of them that are the user's
// column: entity_ids list<string> — entities that it mentions, including those created by linking
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.user_id = $user_id
RETURN memory.id AS id, COLLECT {
  MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  RETURN entity.id
} AS entity_ids
