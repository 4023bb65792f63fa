// name: list_prompt_runs
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: after_created datetime? — page start: the last row's time
// param: after_id string?
// param: limit integer
// column: run map — newest first
CYPHER 25
MATCH (run:PromptRun {workspace_id: $workspace_id})
WHERE run.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR run.created_at < $after_created OR run.id < $after_id)
  // include: in_scope of run
WITH run
ORDER BY run.workspace_id DESC, run.created_at DESC, run.id DESC
LIMIT $limit
RETURN run {
    .id, .workspace_id, .question_hash, .api_key_id, .user_id, .agent_id, .model, .outcome, .node_ids, .prompt_tokens,
    .answer_tokens, .credits, .fallback, .duration_ms, .created_at
  } AS run
