// name: note_mirrored
// mode: write
// returns: none
// unscoped: one external tier serves all workspaces
// param: target string
// param: signature string
// param: cursor string? — "<id> <workspace>" of the last examined memory; null: all were examined
// param: count integer — memories examined since
CYPHER 25
MATCH (meta:VectorTierMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.target = $target AND meta.signature = $signature AND meta.phase = 'FILLING'
SET meta.cursor = coalesce($cursor, meta.cursor), meta.done = meta.done + $count,
    meta.phase = CASE WHEN $cursor IS NULL THEN 'COMPLETE' ELSE 'FILLING' END
