// name: lock_entities_of_connection
// mode: write
// returns: many
// param: workspace_id string
// param: connection_id string
// param: limit integer
// column: id string
// column: is_shared boolean — whether it was written by hand too, came from another connection as well, or was made by linking
//   and memories mention it
// why: the locks keep other writers from adding a connection to one of them meanwhile
CYPHER 25
MATCH (:Connection {workspace_id: $workspace_id, id: $connection_id})<-[:FROM]-(
  entity:Entity {workspace_id: $workspace_id})
WITH DISTINCT entity
LIMIT $limit
// include: lock of entity
RETURN entity.id AS id, coalesce(entity.by_hand, true) OR EXISTS {
    MATCH (entity)-[:FROM]->(other:Connection {workspace_id: $workspace_id})
    WHERE other.id <> $connection_id
  } OR coalesce(entity.by_linking, false) AND EXISTS {
    MATCH (:Memory {workspace_id: $workspace_id})-[:MENTIONS]->(entity)
  } AS is_shared
