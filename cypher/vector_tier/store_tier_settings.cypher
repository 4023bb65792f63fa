// name: store_tier_settings
// mode: write
// returns: none
// unscoped: one external tier serves every workspace
// param: settings string? — JSON of what was changed while running, the key of the store included; null: nothing
// param: namespace string — of this deployment within such stores, taken if it has none yet
// param: now datetime
CYPHER 25
MERGE (meta:VectorTierMeta {name: 'memory'})
  ON CREATE SET meta.namespace = $namespace
SET meta.settings = $settings, meta.locked_at = $now
