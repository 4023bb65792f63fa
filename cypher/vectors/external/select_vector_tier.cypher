// name: select_vector_tier
// mode: write
// returns: one
// unscoped: one external tier serves all workspaces
// param: target string? — store that mirrors the deployment's vectors; null: none
// param: namespace string — of this deployment within such stores, taken if it has none yet
// column: changed boolean
// why: a store that was out of use is filled from the start, since it missed changes and deletions; of two processes
//   with different settings the one started last wins
CYPHER 25
MERGE (meta:VectorTierMeta {name: 'memory'})
  ON CREATE SET meta.namespace = $namespace
// include: lock of meta
WITH meta, coalesce(meta.target, '') <> coalesce($target, '') AS changed
FOREACH (_ IN CASE WHEN changed THEN [1] ELSE [] END |
  SET meta.target = $target, meta.signature = null, meta.phase = null)
RETURN changed
