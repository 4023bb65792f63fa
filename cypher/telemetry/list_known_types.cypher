// name: list_known_types
// mode: read
// returns: many
// param: workspace_id string
// param: names list<string>
// column: name string — of a type of entities that the workspace has
CYPHER 25
UNWIND $names AS name
MATCH (type:EntityType {workspace_id: $workspace_id, name: name})
USING INDEX type:EntityType(workspace_id, name)
RETURN DISTINCT type.name AS name
