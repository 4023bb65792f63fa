// name: create_actions
// mode: write
// returns: one
// param: workspace_id string
// param: actions list<map> — {id, sequence_id, target_id, properties}
// column: targets_unknown integer — actions whose target is no entity of the workspace: recorded without the edge
// why: what was done to a thing stays known even if the thing is not known yet, or not any more
CYPHER 25
UNWIND $actions AS row
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: row.sequence_id})
USING INDEX sequence:AgentSequence(workspace_id, id)
CREATE (action:_mem:AgentAction {workspace_id: $workspace_id, id: row.id})
SET action += row.properties
CREATE (sequence)-[:DID]->(action)
WITH action, row
CALL (action, row) {
  OPTIONAL MATCH (target:Searchable {workspace_id: $workspace_id, id: row.target_id})
  WHERE target:Entity
  FOREACH (_ IN CASE WHEN target IS NULL THEN [] ELSE [1] END | CREATE (action)-[:TARGETED]->(target))
  RETURN CASE WHEN row.target_id IS NOT NULL AND target IS NULL THEN 1 ELSE 0 END AS unknown
}
RETURN sum(unknown) AS targets_unknown
