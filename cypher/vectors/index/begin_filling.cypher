// name: begin_filling
// mode: write
// returns: none
// unscoped: one vector index serves all workspaces
// param: slot string
// param: signature string
// why: no vectors may be written before the slot is empty and its index has the new dimension
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.building_slot = $slot AND meta.building_signature = $signature AND meta.building_phase = 'CLEARING'
SET meta.building_phase = 'FILLING', meta.building_cursor = '', meta.building_done = 0,
    meta.building_total = COUNT { (:Searchable) }
