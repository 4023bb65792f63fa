// name: list_target_types
// mode: read
// returns: many
// param: workspace_id string
// param: names list<string> — ids or keys of entities
// column: type string — of an entity, above that type, or what the latest actions on the entity called it
// why: a caller may use another type for its target than the ontology; failures are recorded under the caller's
CYPHER 25
CALL () {
  UNWIND $names AS name
  MATCH (target:Entity {workspace_id: $workspace_id, id: name})
  USING INDEX target:Entity(workspace_id, id)
  RETURN target
UNION
  UNWIND $names AS name
  MATCH (target:Entity {workspace_id: $workspace_id, key: name})
  USING INDEX target:Entity(workspace_id, key)
  RETURN target
}
CALL (target) {
  RETURN target.type AS type
UNION
  MATCH (own:EntityType {workspace_id: $workspace_id, name: target.type})
  USING INDEX own:EntityType(workspace_id, name)
  MATCH (own)
        ((below WHERE below.workspace_id = $workspace_id)-[:SUBTYPE_OF]->(above WHERE above.workspace_id = $workspace_id)){1,20}
        (type WHERE type.workspace_id = $workspace_id)
  RETURN type.name AS type
UNION
  MATCH (action:AgentAction {workspace_id: $workspace_id, target_id: target.id})
  USING INDEX action:AgentAction(workspace_id, target_id, occurred_at)
  WHERE action.occurred_at <= datetime('9999-12-31T00:00:00Z')
  WITH action
  ORDER BY action.workspace_id DESC, action.target_id DESC, action.occurred_at DESC
  LIMIT 50
  RETURN DISTINCT action.node_type AS type
}
RETURN DISTINCT type
