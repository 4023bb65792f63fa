// name: measure_memories
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: kinds list<string> — empty: any
// param: session_id string?
// param: api_key_id string?
// param: text string? — substring of content or key, folded and in lower case
// param: now datetime — excludes expired memories
// column: count integer
// column: tokens integer — estimate, see graph.core.text.budget.estimate_tokens
// column: recalls integer — number of recalls in the workspace since its creation, without dry runs
// column: answered_recalls integer — number of recalls with hits
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id})
  WHERE memory.deleted_at IS NULL
    AND coalesce(memory.expires_at > $now, true)
    // include: in_scope
    AND ($text IS NULL OR coalesce(memory.folded_content, toLower(memory.content)) CONTAINS $text
       OR coalesce(memory.folded_key, toLower(memory.key)) CONTAINS $text)
    AND ($kinds = [] OR memory.kind IN $kinds)
    AND ($session_id IS NULL OR memory.session_id = $session_id)
    AND ($api_key_id IS NULL OR memory.api_key_id = $api_key_id)
  RETURN count(memory) AS count, sum((size(memory.content) + 3) / 4) AS tokens
}
OPTIONAL MATCH (workspace:Workspace {id: $workspace_id})
RETURN count, tokens, coalesce(workspace.recall_count, 0) AS recalls,
       coalesce(workspace.answered_recall_count, 0) AS answered_recalls
