// name: delete_association
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: each type has its own index on id, so each is asked by itself
CYPHER 25
CALL () {
  MATCH (:Memory {workspace_id: $workspace_id})-[edge:INVALIDATED_BY {id: $id}]->(:Memory {workspace_id: $workspace_id})
  RETURN edge
UNION
  MATCH (:Memory {workspace_id: $workspace_id})-[edge:DERIVED_FROM {id: $id}]->(:Memory {workspace_id: $workspace_id})
  RETURN edge
UNION
  MATCH (:Memory {workspace_id: $workspace_id})-[edge:PREFERS_OVER {id: $id}]->(:Memory {workspace_id: $workspace_id})
  RETURN edge
UNION
  MATCH (:Memory {workspace_id: $workspace_id})-[edge:EVOLVED_INTO {id: $id}]->(:Memory {workspace_id: $workspace_id})
  RETURN edge
UNION
  MATCH (:Memory {workspace_id: $workspace_id})-[edge:RELATES_TO {id: $id}]->(:Memory {workspace_id: $workspace_id})
  RETURN edge
}
WITH edge, edge.id AS id
DELETE edge
RETURN id
