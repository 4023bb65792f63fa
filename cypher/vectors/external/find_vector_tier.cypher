// name: find_vector_tier
// mode: read
// returns: optional
// unscoped: one external tier serves all workspaces
// column: meta map — see graph.vectors.external.models.TierMeta
CYPHER 25
MATCH (meta:VectorTierMeta {name: 'memory'})
RETURN meta {
    .namespace, .target, .signature, .phase, cursor: coalesce(meta.cursor, ''), done: coalesce(meta.done, 0),
    total: coalesce(meta.total, 0), .grace_until, cleaned: coalesce(meta.cleaned, false)
  } AS meta
