// name: create_actions
// mode: write
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: actions list<map> — {id, sequence_id, target_id (id or key), also_touched (ids), properties}
// column: targets_unknown integer — actions whose target is no node of the workspace: recorded without the edge
// why: an action keeps its target even if the node does not exist yet or no longer; an action on a duplicate also
//   counts for the entity that it was merged into, until the merge is undone
CYPHER 25
UNWIND $actions AS row
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: row.sequence_id})
USING INDEX sequence:AgentSequence(workspace_id, id)
CREATE (action:_mem:AgentAction {workspace_id: $workspace_id, id: row.id})
SET action += row.properties
CREATE (sequence)-[:DID]->(action)
WITH action, row
CALL (action, row) {
  UNWIND row.also_touched AS id
  // include: target_of_id
  CREATE (action)-[:TARGETED {also: true}]->(node)
}
CALL (action, row) {
  OPTIONAL MATCH (by_id:Entity {workspace_id: $workspace_id, id: row.target_id})
  USING INDEX by_id:Entity(workspace_id, id)
  OPTIONAL MATCH (by_key:Entity {workspace_id: $workspace_id, key: row.target_id})
  USING INDEX by_key:Entity(workspace_id, key)
  OPTIONAL CALL (row) {
    WITH row.target_id AS id
    // include: target_of_id
    RETURN node
    LIMIT 1
  }
  WITH action, row, coalesce(by_id, by_key, node) AS target
  SET action.target_id = coalesce(target.id, action.target_id)
  FOREACH (_ IN CASE WHEN target IS NULL THEN [] ELSE [1] END | CREATE (action)-[:TARGETED]->(target))
  CALL (action, target) {
    MATCH (target)
          ((merged WHERE merged.workspace_id = $workspace_id)-[:MERGED_INTO]->(into WHERE into.workspace_id = $workspace_id)){0,19}
          (duplicate WHERE duplicate.workspace_id = $workspace_id)-[tie:MERGED_INTO]->(
          entity WHERE entity.workspace_id = $workspace_id)
    CREATE (action)-[:TARGETED {via_merge: tie.id}]->(entity)
  }
  RETURN CASE WHEN row.target_id IS NOT NULL AND target IS NULL THEN 1 ELSE 0 END AS unknown
}
RETURN sum(unknown) AS targets_unknown
