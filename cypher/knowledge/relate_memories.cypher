// name: relate_memories
// mode: write
// returns: none
// param: workspace_id string
// param: memories list<map> — {id, relations: [{id (of the edge, if it is new), other_id, strength}]}
// param: how string — marks the edges that this query creates and that may be removed again
// param: now datetime
// why: keeps edges that people created; deletes an edge when its memories no longer share an entity; locks the entities
//   and then all memories, each by id, like deletions do, so that neither deadlocks and no memory leaves the workspace
//   meanwhile; starts from the memories, because an entity may have any number of mentions
CYPHER 25
CALL () {
  UNWIND $memories AS row
  MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
  USING INDEX memory:Memory(workspace_id, id)
  MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  WITH DISTINCT entity
  ORDER BY entity.id
  // include: lock of entity
}
CALL () {
  UNWIND $memories AS row
  UNWIND [row.id] + [relation IN row.relations | relation.other_id] AS id
  WITH DISTINCT id
  ORDER BY id
  MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
  USING INDEX memory:Memory(workspace_id, id)
  // include: lock of memory
}
UNWIND $memories AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
CALL (memory) {
  MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  RETURN collect(entity) AS entities
}
CALL (memory, entities) {
  MATCH (memory)-[old:RELATES_TO]-(other:Memory {workspace_id: $workspace_id})
  WHERE old.how = $how AND NOT EXISTS {
    MATCH (other)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
    WHERE entity IN entities
  }
  DELETE old
}
CALL (memory, row) {
  UNWIND row.relations AS relation
  MATCH (other:Memory {workspace_id: $workspace_id, id: relation.other_id})
  USING INDEX other:Memory(workspace_id, id)
  WHERE NOT EXISTS {
    (memory)-[own:
      // include: association_types
    ]-(other)
    WHERE own.how IS NULL
  }
  MERGE (memory)-[edge:RELATES_TO]-(other)
    ON CREATE SET edge.id = relation.id, edge.how = $how, edge.created_at = $now
  SET edge.strength = relation.strength
}
