// name: find_vector_tier
// mode: read
// returns: optional
// unscoped: one external tier serves all workspaces
// column: meta map — see graph.vectors.external.models.TierMeta
CYPHER 25
MATCH (meta:VectorTierMeta {name: 'memory'})
RETURN meta {
    .namespace, .target, .signature, .dimension, .phase, .cursor, .done, .total, .grace_until, .cleaned
  } AS meta
