CYPHER 25
MATCH (memory:Memory {workspace_id: $ws})
OPTIONAL MATCH (memory)-[edge:MENTIONS]->(entity:Entity)
RETURN memory.id AS memory, entity.id AS entity, entity.name AS name, entity.type AS type, edge.how AS how,
       edge.surface AS surface, edge.created_at IS NOT NULL AS dated
ORDER BY memory, name
