// name: begin_building
// mode: write
// returns: optional
// unscoped: one vector index serves all workspaces
// param: signature string — of the wanted embedder
// param: dimension integer
// param: quantization string
// param: now datetime
// column: started boolean — false if nothing had to change
// why: locks the one node, so that only one of several starting processes begins; if the index in use is wanted
//   again, abandons the one that is being built
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta, CASE meta.active_slot WHEN 'a' THEN 'b' ELSE 'a' END AS slot,
     meta.active_signature = $signature AND meta.active_quantization = $quantization AS is_active,
     meta.building_slot IS NOT NULL AS is_building,
     coalesce(meta.building_signature = $signature AND meta.building_quantization = $quantization, false) AS is_begun
FOREACH (_ IN CASE WHEN is_active AND is_building THEN [1] ELSE [] END |
  SET meta.building_slot = null, meta.building_signature = null, meta.building_quantization = null,
      meta.retiring_slot = slot, meta.retiring_cursor = '')
FOREACH (_ IN CASE WHEN is_active OR is_begun THEN [] ELSE [1] END |
  SET meta.building_slot = slot, meta.building_signature = $signature, meta.building_dimension = $dimension,
      meta.building_quantization = $quantization, meta.building_since = $now,
      meta.building_phase = 'CLEARING', meta.building_cursor = '', meta.building_done = 0,
      meta.building_total = COUNT { (:Searchable) },
      meta.retiring_slot = null, meta.retiring_cursor = null)
RETURN NOT is_active AND NOT is_begun AS started
