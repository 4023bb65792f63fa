// name: note_found
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: found string — JSON, see graph.conversations.distillation.models.Distilled
// column: found string — the first stored answer
// why: keeps the model's first answer, because a worker that takes over the job may ask the model again
CYPHER 25
MATCH (pending:Distillation {workspace_id: $workspace_id, id: $id})
SET pending.found = coalesce(pending.found, $found)
RETURN pending.found AS found
