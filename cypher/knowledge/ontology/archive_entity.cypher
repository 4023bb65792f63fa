// name: archive_entity
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: now datetime
// column: id string
// why: the node and its edges stay, so that it can be restored; every list, search and traversal requires active
CYPHER 25
MATCH (entity:Entity {workspace_id: $workspace_id, id: $id})
// include: lock of entity
WITH entity
WHERE entity.active
SET entity.active = false, entity.deleted_at = $now, entity.updated_at = $now
RETURN entity.id AS id
