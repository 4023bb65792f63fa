// name: note_cleanup
// mode: write
// returns: none
// param: workspace_id string
// param: until datetime — memories created earlier are no longer in the store
// why: recall must not take the store for complete where a cleanup removed memories that are kept here
CYPHER 25
MATCH (meta:VectorTierMeta {name: 'memory'})
SET meta.cleaned = true
WITH meta
MATCH (workspace:Workspace {id: $workspace_id})
SET workspace.tier_cleaned_until = CASE
      WHEN workspace.tier_cleaned_since = meta.since AND workspace.tier_cleaned_until > $until
        THEN workspace.tier_cleaned_until
      ELSE $until END,
    workspace.tier_cleaned_since = meta.since
