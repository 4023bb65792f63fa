// name: upsert_association
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: from_id string
// param: to_id string
// param: type string — one of the association types; never a caller's text
// param: id string — of the association, if it is new
// param: strength float? — null keeps the strength there is, 0.5 for a new one
// param: now datetime
// column: association map
// why: the locks of both ends keep two writers from drawing the same edge, and an end from leaving the workspace; absent
//   ends give no row; an edge that linking drew is the caller's from then on
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
