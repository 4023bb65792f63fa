// name: write_entities
// mode: write
// returns: one
// param: workspace_id string
// param: entities list<map> — {id, type, properties, connection_ids, by_hand}
// param: now datetime
// column: written integer
// why: the label of an entity's type comes out of the registry's node, never out of what a caller wrote
CYPHER 25
UNWIND $entities AS row
MATCH (type:EntityType {workspace_id: $workspace_id, name: row.type})
USING INDEX type:EntityType(workspace_id, name)
MERGE (entity:Entity {workspace_id: $workspace_id, id: row.id})
WITH row, type, entity
OPTIONAL MATCH (before:EntityType {workspace_id: $workspace_id, name: entity.type})
FOREACH (_ IN CASE WHEN before <> type THEN [1] ELSE [] END | REMOVE entity:$(before.name))
SET entity:Searchable, entity:$(type.name), entity += row.properties, entity.type = type.name,
    entity.by_hand = coalesce(entity.by_hand, false) OR row.by_hand
FOREACH (id IN row.connection_ids |
  MERGE (connection:Connection {workspace_id: $workspace_id, id: id})
    ON CREATE SET connection.name = id, connection.created_at = $now, connection.updated_at = $now
  MERGE (entity)-[:FROM]->(connection))
RETURN count(entity) AS written
