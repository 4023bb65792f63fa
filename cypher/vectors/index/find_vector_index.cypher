// name: find_vector_index
// mode: read
// returns: optional
// unscoped: one vector index serves all workspaces
// column: active map? — {slot, signature, dimension, quantization, since} of the index recall uses
// column: building map? — the same of the index a new embedder fills, with {phase, cursor, done, total}
// column: retiring map? — {slot, cursor} of the slot that is being dropped
// column: last_reset_at datetime? — time at which the vectors in use replaced others; null if they are the first
// column: grace_until datetime? — until then other processes may still search the slot that is dropped or rebuilt
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
RETURN {slot: meta.active_slot, signature: meta.active_signature, dimension: meta.active_dimension,
             quantization: meta.active_quantization, since: meta.active_since} AS active,
       CASE WHEN meta.building_slot IS NULL THEN null
            ELSE {slot: meta.building_slot, signature: meta.building_signature, dimension: meta.building_dimension,
                       quantization: meta.building_quantization, since: meta.building_since,
                       phase: meta.building_phase, cursor: meta.building_cursor, done: meta.building_done,
                       total: meta.building_total} END AS building,
       CASE WHEN meta.retiring_slot IS NULL THEN null
            ELSE {slot: meta.retiring_slot, cursor: meta.retiring_cursor} END AS retiring,
       meta.last_reset_at AS last_reset_at,
       meta.grace_until AS grace_until
