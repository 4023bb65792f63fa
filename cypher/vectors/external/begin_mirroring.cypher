// name: begin_mirroring
// mode: write
// returns: optional
// unscoped: one external tier serves all workspaces
// param: target string — store that the caller can reach
// param: again boolean — also a filled slot: its contents are lost
// param: grace_until datetime — from this time every process sends its changes to the store
// param: now datetime
// column: started boolean
// why: uses the graph's record of the vectors in use, so that a process that does not know of a new embedder yet cannot
//   restart with the old one's
CYPHER 25
MATCH (meta:VectorTierMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.target = $target
MATCH (index:VectorIndexMeta {name: 'memory'})
WITH meta, index, $again OR coalesce(meta.signature <> index.active_signature, true) AS started
FOREACH (_ IN CASE WHEN started THEN [1] ELSE [] END |
  SET meta.signature = index.active_signature, meta.phase = 'PREPARING', meta.cursor = '', meta.done = 0, meta.total = 0,
      meta.since = $now, meta.grace_until = $grace_until, meta.cleaned = false)
RETURN started
