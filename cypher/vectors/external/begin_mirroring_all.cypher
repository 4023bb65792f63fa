// name: begin_mirroring_all
// mode: write
// returns: none
// unscoped: one external tier serves all workspaces
// param: target string
// param: signature string
// why: only once the store has an empty place for these vectors may they be written to it
CYPHER 25
MATCH (meta:VectorTierMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.target = $target AND meta.signature = $signature AND meta.phase = 'PREPARING'
SET meta.phase = 'FILLING', meta.total = COUNT { (:Memory) }
