// name: lock_language_model
// mode: write
// returns: optional
// param: workspace_id string
// column: id string
// column: chosen map? — {url, model, sealed_key}, read under the lock; null without a model of its own
// why: reads and writes the stored key under one lock, so that a concurrent new key is not overwritten
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
RETURN
  workspace.id AS id,
  CASE
    WHEN workspace['llm_url'] IS NULL THEN null
    ELSE {url: workspace.llm_url, model: workspace.llm_model, sealed_key: workspace.llm_sealed_key}
  END AS chosen
