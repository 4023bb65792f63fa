// name: find_language_model
// mode: read
// returns: optional
// param: workspace_id string
// column: chosen map — {url, model, sealed_key}; no row if the workspace has no model of its own
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL AND workspace.llm_url IS NOT NULL
RETURN {url: workspace.llm_url, model: workspace.llm_model, sealed_key: workspace.llm_sealed_key} AS chosen
