// name: delete_distillation
// mode: write
// returns: none
// param: workspace_id string
// param: id string
CYPHER 25
MATCH (pending:Distillation {workspace_id: $workspace_id, id: $id})
DELETE pending
