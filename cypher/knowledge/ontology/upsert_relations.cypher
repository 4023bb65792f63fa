// name: upsert_relations
// mode: write
// returns: many
// param: workspace_id string
// param: relations list<map> — {id, from_id, to_id, type, strength (null: as it is, 1 for a new one), properties
//   (JSON text, null: as it is), connection_id (or null)}
// param: now datetime
// column: relation map
// why: takes the edge's type from the registry's node; locks the ends, so that concurrent calls create an edge once
CYPHER 25
UNWIND $relations AS row
MATCH (type:RelationType {workspace_id: $workspace_id, name: row.type})
USING INDEX type:RelationType(workspace_id, name)
MATCH (source:Entity {workspace_id: $workspace_id, id: row.from_id})
USING INDEX source:Entity(workspace_id, id)
MATCH (target:Entity {workspace_id: $workspace_id, id: row.to_id})
USING INDEX target:Entity(workspace_id, id)
MERGE (source)-[edge:$(type.name)]->(target)
  ON CREATE SET edge.created_at = $now, edge.strength = 1.0, edge.properties = '{}', edge.connection_ids = [],
                edge.by_hand = false
SET edge.id = row.id, edge.via_merge = null, edge.updated_at = $now, edge.strength = coalesce(row.strength, edge.strength),
    edge.properties = coalesce(row.properties, edge.properties),
    edge.by_hand = edge.by_hand OR row.connection_id IS NULL,
    edge.connection_ids = edge.connection_ids
      + CASE WHEN row.connection_id IS NULL OR row.connection_id IN edge.connection_ids THEN []
             ELSE [row.connection_id] END,
    edge.own_by_hand = CASE WHEN edge.own_by_hand IS NOT NULL THEN edge.own_by_hand OR row.connection_id IS NULL END,
    edge.own_connection_ids = CASE
      WHEN row.connection_id IS NULL OR row.connection_id IN edge.own_connection_ids THEN edge.own_connection_ids
      ELSE edge.own_connection_ids + row.connection_id END
FOREACH (id IN CASE WHEN row.connection_id IS NULL THEN [] ELSE [row.connection_id] END |
  MERGE (connection:Connection {workspace_id: $workspace_id, id: id})
    ON CREATE SET connection.name = id, connection.created_at = $now, connection.updated_at = $now)
RETURN edge {
    .id, .strength, .properties, .connection_ids, .created_at, .updated_at, type: type(edge), from_id: source.id,
    to_id: target.id
  } AS relation
