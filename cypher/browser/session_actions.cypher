// name: session_actions
// mode: read
// returns: many
// param: workspace_id string
// param: id string — a sequence
// column: step path
// column: target path?
// why: shows an agent's actions in one session, in order, with their targets
CYPHER 25
MATCH step = (:AgentSequence {workspace_id: $workspace_id, id: $id})-[:DID]->(
  action:AgentAction {workspace_id: $workspace_id})
WITH step, action
ORDER BY action.position
LIMIT 200
CALL (action) {
  OPTIONAL MATCH target = (action)-[:TARGETED]->({workspace_id: $workspace_id})
  RETURN target
  LIMIT 1
}
RETURN step, target
