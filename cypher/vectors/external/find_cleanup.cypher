// name: find_cleanup
// mode: read
// returns: optional
// param: workspace_id string
// column: until datetime — memories created earlier are no longer in the store
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
MATCH (meta:VectorTierMeta {name: 'memory'})
WHERE workspace.tier_cleaned_since = meta.since
RETURN workspace.tier_cleaned_until AS until
