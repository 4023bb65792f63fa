// name: get_vector_index
// mode: read
// returns: optional
// unscoped: one vector index serves every workspace
// column: active map? — {slot, signature, dimension, quantization, since} of the index recall uses
// column: building map? — the same of the index a new embedder is filling
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
RETURN {slot: meta.active_slot, signature: meta.active_signature, dimension: meta.active_dimension,
             quantization: meta.active_quantization, since: meta.active_since} AS active,
       CASE WHEN meta.building_slot IS NULL THEN null
            ELSE {slot: meta.building_slot, signature: meta.building_signature, dimension: meta.building_dimension,
                       quantization: meta.building_quantization, since: meta.building_since} END AS building
