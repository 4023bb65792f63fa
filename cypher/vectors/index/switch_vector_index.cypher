// name: switch_vector_index
// mode: write
// returns: optional
// unscoped: one vector index serves all workspaces
// param: slot string — the one that was filled
// param: signature string
// param: active_property string — of the slot in use so far
// param: building_property string
// param: grace_until datetime — the old index stays until then for processes that have not been notified
// param: now datetime
// column: missing integer — memories that recall would lose; above 0: the switch did not happen
// allow: NodeByLabelScan — counts all memories under the lock, once for each change of the embedder
// why: one small write makes the new vectors the ones in use, and only when none is missing
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.building_slot = $slot AND meta.building_signature = $signature AND meta.building_phase = 'FILLING'
CALL () {
  MATCH (node:Searchable)
  WHERE node[$active_property] IS NOT NULL AND node[$building_property] IS NULL
    AND coalesce(node.unembeddable_by <> $signature, true)
  RETURN count(node) AS missing
}
FOREACH (_ IN CASE missing WHEN 0 THEN [1] ELSE [] END |
  SET meta.retiring_slot = meta.active_slot, meta.retiring_cursor = '', meta.grace_until = $grace_until,
      meta.active_slot = meta.building_slot, meta.active_signature = meta.building_signature,
      meta.active_dimension = meta.building_dimension, meta.active_quantization = meta.building_quantization,
      meta.active_since = $now, meta.last_reset_at = $now,
      meta.building_slot = null, meta.building_signature = null, meta.building_quantization = null)
RETURN missing
