// name: store_embeddings
// mode: write
// returns: optional
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id, revision, vectors: [{property, embedding}], passages: [{slot, property,
//   ordinal, embedding}], is_whole (true: made of more text than the node holds)}
// param: targets list<map> — {slot, signature}: target slot of the vectors, and their embedder
// param: replaces boolean — false: fills only missing vectors of the target; true: also removes those of
//   other slots, which may be of an older text
// param: cursor string? — "<id> <workspace>" up to which the slot being built has been filled
// column: accepted boolean — false if a slot no longer belongs to that embedder; then nothing was written
// column: stored integer
// why: the lock on the one meta node lets no vector slip in while the slots change their roles; a vector is kept only
//   for the text it was made of, as it is under the lock: one that changed, or moved to another workspace, has its own job
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta, [target IN $targets | target.slot] AS slots,
     all(target IN $targets WHERE
       (target.slot = meta.active_slot AND target.signature = meta.active_signature)
       OR coalesce(target.slot = meta.building_slot AND target.signature = meta.building_signature
                   AND meta.building_phase = 'FILLING', false)) AS accepted
CALL (accepted, slots) {
  UNWIND CASE WHEN accepted THEN $rows ELSE [] END AS row
  MATCH (node:Searchable {workspace_id: row.workspace_id, id: row.id})
  USING INDEX node:Searchable(workspace_id, id)
  // include: lock of node
  WITH node, row, slots
  WHERE node['workspace_id'] = row.workspace_id AND node['revision'] = row.revision
    AND ($replaces OR any(vector IN row.vectors WHERE node[vector.property] IS NULL))
  FOREACH (_ IN CASE WHEN $replaces AND NOT 'a' IN slots THEN [1] ELSE [] END | REMOVE node.embedding_a)
  FOREACH (_ IN CASE WHEN $replaces AND NOT 'b' IN slots THEN [1] ELSE [] END | REMOVE node.embedding_b)
  SET node.embedded_revision = node.revision, node.embedding_signature = $targets[0].signature,
      node.failure = null, node.unembeddable_by = null, node.placeholder_vector = null,
      node.embedded_whole_by = CASE WHEN row.is_whole THEN $targets[0].signature END,
      node.state = CASE WHEN node.enriched THEN 'LINKED' ELSE 'EMBEDDED' END
  WITH node, row, slots
  CALL (node, row) {
    UNWIND row.vectors AS vector
    CALL db.create.setNodeVectorProperty(node, vector.property, vector.embedding)
  }
  CALL (node, row, slots) {
    MATCH (node)<-[:PART_OF]-(old WHERE old.workspace_id = row.workspace_id)
    WHERE $replaces OR old.slot IN slots
    FOREACH (_ IN CASE WHEN old:Passage THEN [1] ELSE [] END | DETACH DELETE old)
  }
  CALL (node, row) {
    UNWIND row.passages AS part
    CREATE (passage:Passage {workspace_id: row.workspace_id, memory_id: row.id, ordinal: part.ordinal})
    SET passage.slot = part.slot, passage.active = node.active, passage.search_kind = 'passage',
        passage.user_id = node.user_id
    CREATE (passage)-[:PART_OF]->(node)
    WITH passage, part
    CALL db.create.setNodeVectorProperty(passage, part.property, part.embedding)
  }
  RETURN count(node) AS stored
}
FOREACH (_ IN CASE WHEN accepted AND $cursor IS NOT NULL THEN [1] ELSE [] END |
  SET meta.building_cursor = $cursor, meta.building_done = meta.building_done + stored)
RETURN accepted, stored
