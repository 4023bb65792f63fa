// name: undo_merge
// mode: write
// returns: one
// param: workspace_id string
// param: id string
// param: now datetime
// column: removed integer — copied edges that are removed again
// why: an edge that was created again since belongs to the entity and stays, and so does one that another duplicate
//   has; the writers of remaining edges are those of the entity itself and of its other duplicates
CYPHER 25
MATCH (note:EntityMerge {workspace_id: $workspace_id, id: $id})
MATCH (source:Entity {workspace_id: $workspace_id, id: note.from_id})
MATCH (target:Entity {workspace_id: $workspace_id, id: note.into_id})
SET note.undone_at = $now, source.active = true, source.deleted_at = null, source.updated_at = $now
WITH source, target
CALL (source, target) {
  MATCH (source)-[tie:MERGED_INTO]->(target)
  DELETE tie
}
CALL (target) {
  OPTIONAL MATCH (target)<-[tie:MERGED_INTO]-(left WHERE left.workspace_id = $workspace_id)
  RETURN collect(CASE WHEN tie IS NOT NULL THEN {merge_id: tie.id, node: left} END) AS others
}
CALL (source, target, others) {
  MATCH (source)-[lent]-(other {workspace_id: $workspace_id})
  WHERE lent.connection_ids IS NOT NULL
  CALL (target, others, lent, other) {
    MATCH (target)-[edge]-(other)
    WHERE edge.own_connection_ids IS NOT NULL AND type(edge) = type(lent)
      AND (startNode(edge) = other) = (startNode(lent) = other)
    CALL (others, edge, other) {
      UNWIND others AS each
      WITH each.node AS left, edge, other
      MATCH (left)-[theirs]-(other)
      WHERE type(theirs) = type(edge) AND (startNode(theirs) = other) = (startNode(edge) = other)
      RETURN collect(theirs) AS theirs
    }
    SET edge.by_hand = edge.own_by_hand OR any(each IN theirs WHERE each.by_hand),
        edge.connection_ids = reduce(ids = edge.own_connection_ids, each IN theirs |
          ids + [id IN each.connection_ids WHERE NOT id IN ids])
    FOREACH (_ IN CASE WHEN theirs = [] THEN [1] ELSE [] END | REMOVE edge.own_by_hand, edge.own_connection_ids)
  }
}
CALL (target, others) {
  WITH target, others
  WHERE target.own_by_hand IS NOT NULL
  SET target.by_hand = target.own_by_hand OR any(each IN others WHERE coalesce(each.node.by_hand, true))
  FOREACH (_ IN CASE WHEN others = [] THEN [1] ELSE [] END | REMOVE target.own_by_hand)
}
CALL (target, others) {
  MATCH (target)-[edge]-(other {workspace_id: $workspace_id})
  WHERE edge.via_merge = $id
  CALL (others, edge, other) {
    UNWIND others AS each
    WITH each.merge_id AS merge_id, each.node AS left, edge, other
    MATCH (left)-[theirs]-(other)
    WHERE type(theirs) = type(edge) AND (startNode(theirs) = other) = (startNode(edge) = other)
    RETURN head(collect(merge_id)) AS heir
  }
  SET edge.via_merge = heir
  FOREACH (_ IN CASE WHEN heir IS NULL THEN [1] ELSE [] END | DELETE edge)
  RETURN count(CASE WHEN heir IS NULL THEN 1 END) AS removed
}
RETURN removed
