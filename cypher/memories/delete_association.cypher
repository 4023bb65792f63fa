// name: delete_association
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// param: now datetime
// column: source_id string
// column: target_id string
// column: type string
// column: is_of_slot boolean — whether a newer statement had closed the source; it does not close it again
// column: is_opened boolean — whether the end of the source is gone with the edge
// why: each type has an index on id of its own, hence one lookup a type
CYPHER 25
CALL () {
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:INVALIDATED_BY {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:INVALIDATED_BY(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:DERIVED_FROM {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:DERIVED_FROM(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:PREFERS_OVER {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:PREFERS_OVER(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:EVOLVED_INTO {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:EVOLVED_INTO(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:RELATES_TO {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:RELATES_TO(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:LEADS_TO {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:LEADS_TO(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:OCCURRED_BEFORE {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:OCCURRED_BEFORE(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:EXEMPLIFIES {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:EXEMPLIFIES(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:CONTRADICTS {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:CONTRADICTS(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:REINFORCES {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:REINFORCES(id)
  RETURN edge, source, target
UNION
  MATCH (source:Memory {workspace_id: $workspace_id})-[edge:PART_OF {id: $id}]->(target:Memory {workspace_id: $workspace_id})
  USING INDEX SEEK edge:PART_OF(id)
  RETURN edge, source, target
}
WITH edge, source, target
WHERE true
  // include: in_scope of source
  // include: in_scope of target
WITH edge, source, target, type(edge) AS type, coalesce(edge.by = 'slot', false) AS is_of_slot
WITH edge, source, target, type, is_of_slot,
     is_of_slot AND coalesce(source.t_invalid = source.slot_closed_at, false) AS is_opened
FOREACH (_ IN CASE WHEN is_opened THEN [1] ELSE [] END | SET source.t_invalid = null, source.updated_at = $now)
FOREACH (_ IN CASE WHEN is_of_slot THEN [1] ELSE [] END |
  SET source.slot_closed_at = null, source.slot_refused = coalesce(source.slot_refused, []) + target.id)
DELETE edge
RETURN source.id AS source_id, target.id AS target_id, type, is_of_slot, is_opened
