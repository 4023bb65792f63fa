// name: write_entities
// mode: write
// returns: one
// param: workspace_id string
// param: entities list<map> — {id, type, properties, connection_ids, by_hand}
// param: now datetime
// column: written integer
// why: takes the label from the registry's node, never from the caller; a value taken over from a duplicate and then
//   written again belongs to the entity, even after the undo of the merge; an entity without a person or connection as
//   writer comes from linking
CYPHER 25
UNWIND $entities AS row
MATCH (type:EntityType {workspace_id: $workspace_id, name: row.type})
USING INDEX type:EntityType(workspace_id, name)
MERGE (entity:Entity {workspace_id: $workspace_id, id: row.id})
  ON CREATE SET entity.by_hand = false, entity.by_linking = NOT row.by_hand AND row.connection_ids = []
WITH row, type, entity
OPTIONAL MATCH (before:EntityType {workspace_id: $workspace_id, name: entity.type})
FOREACH (_ IN CASE WHEN before <> type THEN [1] ELSE [] END | REMOVE entity:$(before.name))
SET entity:Searchable, entity:$(type.name), entity += row.properties, entity.type = type.name,
    entity.by_hand = coalesce(entity.by_hand, true) OR row.by_hand,
    entity.own_by_hand = CASE WHEN entity.own_by_hand IS NOT NULL THEN entity.own_by_hand OR row.by_hand END
FOREACH (id IN row.connection_ids |
  MERGE (connection:Connection {workspace_id: $workspace_id, id: id})
    ON CREATE SET connection.name = id, connection.created_at = $now, connection.updated_at = $now
  MERGE (entity)-[edge:FROM]->(connection)
    ON MATCH SET edge.via_merge = null)
RETURN count(entity) AS written
