// name: list_target_types
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string> — of entities
// column: type string
CYPHER 25
UNWIND $ids AS id
MATCH (target:Searchable {workspace_id: $workspace_id, id: id})
USING INDEX target:Searchable(workspace_id, id)
WHERE target:Entity
RETURN DISTINCT target.type AS type
