// name: count_of_connections
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: id string
// column: entities integer — live ones that came from it
CYPHER 25
UNWIND $ids AS id
MATCH (connection:Connection {workspace_id: $workspace_id, id: id})
USING INDEX connection:Connection(workspace_id, id)
RETURN id, COUNT {
    (connection)<-[:FROM]-(:Entity {workspace_id: $workspace_id, active: true})
  } AS entities
