// name: restart_filling
// mode: write
// returns: none
// unscoped: one vector index serves all workspaces
// param: slot string
// param: signature string
// why: another pass covers memories written behind the first one
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.building_slot = $slot AND meta.building_signature = $signature
SET meta.building_cursor = ''
