// name: list_actions_of_targets
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: target_ids list<string> — ids of nodes, or keys of entities
// param: session_id string?
// param: sequence_id string?
// param: action_type string?
// param: node_type string?
// param: outcome string?
// param: error_code string?
// param: since datetime? — inclusive
// param: until datetime? — exclusive
// param: after_time datetime? — page start: the last row's occurred_at
// param: after_id string?
// param: limit integer — of each target, the latest first
// column: target_id string
// column: action map
// why: like list_actions, for some targets; a separate query, because the planner cannot choose its index by a
//   parameter that may be null; includes actions on duplicates until their merge is undone, and actions that named a
//   target by its key before it existed; an action has the first touched node as its target, and edges to the others
CYPHER 25
UNWIND $target_ids AS target_id
CALL (target_id) {
  RETURN target_id AS named_id
UNION
  CALL (target_id) {
    MATCH (target:Entity {workspace_id: $workspace_id, id: target_id})
    USING INDEX target:Entity(workspace_id, id)
    RETURN target
  UNION
    MATCH (target:Entity {workspace_id: $workspace_id, key: target_id})
    USING INDEX target:Entity(workspace_id, key)
    RETURN target
  }
  MATCH (entity WHERE entity.workspace_id = $workspace_id)
        ((merged WHERE merged.workspace_id = $workspace_id)-[:MERGED_INTO]->(into WHERE into.workspace_id = $workspace_id)){0,20}
        (target)
  UNWIND [entity.id, entity.key] AS named_id
  RETURN named_id
}
CALL (named_id) {
  CALL (named_id) {
    MATCH (action:AgentAction {workspace_id: $workspace_id, target_id: named_id})
    WHERE
      // include: action_filter
      // include: in_scope of action
    RETURN action
    ORDER BY action.workspace_id DESC, action.target_id DESC, action.occurred_at DESC, action.id DESC
    LIMIT $limit
  UNION
    WITH named_id AS id
    // include: target_of_id
    MATCH (node)<-[:TARGETED {also: true}]-(action:AgentAction {workspace_id: $workspace_id})
    WHERE
      // include: action_filter
      // include: in_scope of action
    RETURN action
    ORDER BY action.occurred_at DESC, action.id DESC
    LIMIT $limit
  }
  RETURN action
}
WITH DISTINCT target_id, action
ORDER BY action.occurred_at DESC, action.id DESC
WITH target_id, collect(action)[..$limit] AS actions
UNWIND actions AS action
RETURN target_id, action {
  // include: action_fields
} AS action
