// name: merge_entities
// mode: write
// returns: one
// param: workspace_id string
// param: id string — of the merge
// param: from_id string — the duplicate
// param: into_id string
// param: before string — JSON of the fields of the other entity that the merge changes, as they were
// param: after string — the same as they are now
// param: now datetime
// column: copied integer — edges
// why: the duplicate keeps its edges, out of sight because it is not active, and the other entity gets copies of those
//   it lacks; so undoing needs no memory of what there was
CYPHER 25
MATCH (source:Entity {workspace_id: $workspace_id, id: $from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: $into_id})
CALL (source, target) {
  MATCH (source)-[edge]->(other {workspace_id: $workspace_id})
  WHERE other <> target AND type(edge) <> 'MERGED_INTO'
  WITH target, source, edge, other, [(target)-[own]->(other) | type(own)] AS own
  WHERE NOT type(edge) IN own
  CREATE (target)-[copy:$(type(edge))]->(other)
  SET copy = properties(edge), copy.via_merge = $id,
      copy.entity_id = CASE WHEN edge.entity_id = source.id THEN target.id ELSE edge.entity_id END
  FOREACH (_ IN CASE WHEN other:Entity THEN [1] ELSE [] END |
    SET copy.id = 'rel_' + substring(target.id, 4) + '-' + type(edge) + '-' + substring(other.id, 4))
  RETURN count(copy) AS outgoing
}
CALL (source, target) {
  MATCH (source)<-[edge]-(other {workspace_id: $workspace_id})
  WHERE other <> target AND type(edge) <> 'MERGED_INTO'
  WITH target, source, edge, other, [(target)<-[own]-(other) | type(own)] AS own
  WHERE NOT type(edge) IN own
  CREATE (target)<-[copy:$(type(edge))]-(other)
  SET copy = properties(edge), copy.via_merge = $id,
      copy.entity_id = CASE WHEN edge.entity_id = source.id THEN target.id ELSE edge.entity_id END
  FOREACH (_ IN CASE WHEN other:Entity THEN [1] ELSE [] END |
    SET copy.id = 'rel_' + substring(other.id, 4) + '-' + type(edge) + '-' + substring(target.id, 4))
  RETURN count(copy) AS incoming
}
CREATE (source)-[:MERGED_INTO {id: $id, created_at: $now}]->(target)
SET source.active = false, source.deleted_at = $now, source.updated_at = $now
CREATE (note:EntityMerge {workspace_id: $workspace_id, id: $id})
SET note.from_id = $from_id, note.into_id = $into_id, note.before = $before, note.after = $after,
    note.copied = outgoing + incoming, note.created_at = $now
RETURN note.copied AS copied
