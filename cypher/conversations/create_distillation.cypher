// name: create_distillation
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// param: properties map — see graph.conversations.distillation.service
// param: now datetime
// column: is_new boolean — false if the same text is pending already
// why: returns no row if memory is off; the service then reports that it stored nothing
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
WHERE workspace.memory_enabled AND workspace.deleted_at IS NULL
OPTIONAL MATCH (waiting:Distillation {workspace_id: $workspace_id, id: $id})
WITH waiting IS NULL AS is_new
MERGE (pending:Distillation {workspace_id: $workspace_id, id: $id})
  ON CREATE SET pending += $properties, pending.created_at = $now
RETURN is_new
