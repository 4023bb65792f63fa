// name: merge_entities
// mode: write
// returns: one
// param: workspace_id string
// param: id string — of the merge
// param: from_id string — the duplicate
// param: into_id string
// param: before string — JSON of the other entity's fields that the merge changes, with their earlier values
// param: after string — the same as they are now
// param: now datetime
// column: copied integer — edges
// why: the duplicate keeps its edges, hidden because it is inactive, and the entity gets copies of those that it lacks;
//   the entity and common relations get the duplicate's writers as well; own_by_hand and own_connection_ids keep the
//   writers without merges, so that an undo can restore them
CYPHER 25
MATCH (source:Entity {workspace_id: $workspace_id, id: $from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: $into_id})
CALL (source, target) {
  MATCH (source)-[edge]-(other {workspace_id: $workspace_id})
  WHERE other <> target AND edge.connection_ids IS NOT NULL
  CALL (target, edge, other) {
    MATCH (target)-[own]-(other)
    WHERE type(own) = type(edge) AND (startNode(own) = other) = (startNode(edge) = other)
    SET own.own_by_hand = coalesce(own.own_by_hand, own.by_hand AND own.via_merge IS NULL),
        own.own_connection_ids = coalesce(
          own.own_connection_ids, CASE WHEN own.via_merge IS NULL THEN own.connection_ids ELSE [] END)
    SET own.by_hand = own.by_hand OR edge.by_hand,
        own.connection_ids = own.connection_ids + [id IN edge.connection_ids WHERE NOT id IN own.connection_ids]
  }
}
CALL (source, target) {
  MATCH (source)-[edge]->(other {workspace_id: $workspace_id})
  WHERE other <> target AND type(edge) <> 'MERGED_INTO'
  WITH target, source, edge, other, [(target)-[own]->(other) | type(own)] AS own
  WHERE NOT type(edge) IN own
  CREATE (target)-[copy:$(type(edge))]->(other)
  SET copy = properties(edge), copy.via_merge = $id,
      copy.entity_id = CASE WHEN edge.entity_id = source.id THEN target.id ELSE edge.entity_id END
  FOREACH (_ IN CASE WHEN other:Entity THEN [1] ELSE [] END |
    SET copy.id = 'rel_' + substring(target.id, 4) + '-' + type(edge) + '-' + substring(other.id, 4),
        copy.own_by_hand = false, copy.own_connection_ids = [])
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
    SET copy.id = 'rel_' + substring(other.id, 4) + '-' + type(edge) + '-' + substring(target.id, 4),
        copy.own_by_hand = false, copy.own_connection_ids = [])
  RETURN count(copy) AS incoming
}
CREATE (source)-[:MERGED_INTO {id: $id, created_at: $now}]->(target)
SET source.active = false, source.deleted_at = $now, source.updated_at = $now
SET target.own_by_hand = coalesce(target.own_by_hand, target.by_hand, true),
    target.by_hand = coalesce(target.by_hand, true) OR coalesce(source.by_hand, true)
CREATE (note:EntityMerge {workspace_id: $workspace_id, id: $id})
SET note.from_id = $from_id, note.into_id = $into_id, note.before = $before, note.after = $after,
    note.copied = outgoing + incoming, note.created_at = $now
RETURN note.copied AS copied
