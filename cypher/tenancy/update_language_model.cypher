// name: update_language_model
// mode: write
// returns: optional
// param: workspace_id string
// param: url string? — null: the deployment's model is used again
// param: model string?
// param: sealed_key string?
// param: now datetime
// column: id string
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.deleted_at IS NULL
SET workspace.llm_url = $url, workspace.llm_model = $model, workspace.llm_sealed_key = $sealed_key,
    workspace.updated_at = $now
RETURN workspace.id AS id
