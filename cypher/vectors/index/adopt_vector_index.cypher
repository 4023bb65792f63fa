// name: adopt_vector_index
// mode: write
// returns: one
// unscoped: one vector index serves all workspaces
// param: slot string
// param: signature string
// param: dimension integer
// param: quantization string
// param: now datetime
// column: signature string — of the index in use, which another process may have set first
// why: the first embedder of a store decides; a different one later fills a second index before it takes over
CYPHER 25
MERGE (meta:VectorIndexMeta {name: 'memory'})
  ON CREATE SET meta.active_slot = $slot, meta.active_signature = $signature, meta.active_dimension = $dimension,
                meta.active_quantization = $quantization, meta.active_since = $now
RETURN meta.active_signature AS signature
