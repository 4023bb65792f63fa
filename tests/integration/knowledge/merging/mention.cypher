MATCH (entity:Entity {workspace_id: $ws, id: $entity_id})
MERGE (memory:Memory {workspace_id: $ws, id: $memory_id})
  ON CREATE SET memory.ontology_test = true
MERGE (memory)-[edge:MENTIONS]->(entity)
  ON CREATE SET edge.entity_id = $entity_id
