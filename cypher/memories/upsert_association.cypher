// name: upsert_association
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: from_id string
// param: to_id string
// param: type string — a validated association type, never text of a caller
// param: id string — id of the association if it is new
// param: strength float? — null keeps the existing strength; a new edge gets 0.5
// param: now datetime
// column: association map
// why: locks both ends, so that two writers cannot create the same edge and neither end can leave the workspace; returns no
//   row if an end is missing; an edge that linking created becomes the caller's
CYPHER 25
MATCH (source:Memory {workspace_id: $workspace_id, id: $from_id})
WHERE true
  // include: in_scope of source
// include: lock of source
WITH source
MATCH (target:Memory {workspace_id: $workspace_id, id: $to_id})
WHERE true
  // include: in_scope of target
// include: lock of target
WITH source, target
WHERE all(end IN [source, target] WHERE end['workspace_id'] = $workspace_id
      AND end['deleted_at'] IS NULL AND coalesce(end['expires_at'] > $now, true))
WITH source, target
OPTIONAL MATCH (source)-[known:
  // include: association_types
]->(target)
WHERE type(known) = $type
FOREACH (_ IN CASE WHEN known IS NULL THEN [1] ELSE [] END |
  CREATE (source)-[:$($type) {id: $id, created_at: $now, strength: coalesce($strength, 0.5)}]->(target))
SET known.how = null, known.by = null
FOREACH (_ IN CASE WHEN known IS NULL OR $strength IS NULL THEN [] ELSE [1] END | SET known.strength = $strength)
WITH source, target
MATCH (source)-[edge:
  // include: association_types
]->(target)
WHERE type(edge) = $type
RETURN {
  id: edge.id, type: type(edge), strength: edge.strength, created_at: edge.created_at, from_id: source.id,
  to_id: target.id
} AS association
