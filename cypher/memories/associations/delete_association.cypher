// name: delete_association
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: id string
// column: id string
// why: each type has its own index on id, so each is asked by itself
CYPHER 25
CALL () {
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:INVALIDATED_BY {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:DERIVED_FROM {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:PREFERS_OVER {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:EVOLVED_INTO {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:RELATES_TO {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  RETURN edge, source, target
}
WITH edge, source, target, edge.id AS id
WHERE true
  // include: in_scope of source
  // include: in_scope of target
DELETE edge
RETURN id
