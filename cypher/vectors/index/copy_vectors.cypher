// name: copy_vectors
// mode: write
// returns: optional
// unscoped: one vector index serves all workspaces
// param: signature string — of the embedder whose vectors both slots hold
// param: from_slot string — the slot in use
// param: from_property string
// param: to_slot string — slot being filled; no row if it is no longer being filled
// param: to_property string
// param: after string — "<id> <workspace>" of the previous node; ids contain no blanks
// param: limit integer — nodes copied in this transaction
// column: copied integer — 0 if there are no more
// why: an index with other compression needs no new vectors; a text that just changed has its own job, which replaces
//   both
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta
WHERE meta.active_slot = $from_slot AND meta.active_signature = $signature
  AND meta.building_slot = $to_slot AND meta.building_signature = $signature AND meta.building_phase = 'FILLING'
CALL () {
  MATCH (node:Searchable)
  WHERE node.id >= split($after, ' ')[0] AND node.id + ' ' + node.workspace_id > $after AND node[$from_property] IS NOT NULL AND node[$to_property] IS NULL
  WITH node
  ORDER BY node.id, node.workspace_id
  LIMIT $limit
  RETURN collect(node) AS nodes
}
CALL (nodes) {
  UNWIND nodes AS node
  CALL db.create.setNodeVectorProperty(node, $to_property, node[$from_property])
}
CALL (nodes) {
  UNWIND nodes AS node
  MATCH (node)<-[:PART_OF]-(part:Passage {workspace_id: node.workspace_id, slot: $from_slot})
  CREATE (copy:Passage {workspace_id: node.workspace_id, memory_id: part.memory_id, ordinal: part.ordinal})
  SET copy.slot = $to_slot, copy.active = part.active, copy.search_kind = part.search_kind, copy.user_id = node.user_id
  CREATE (copy)-[:PART_OF]->(node)
  WITH copy, part
  CALL db.create.setNodeVectorProperty(copy, $to_property, part[$from_property])
}
FOREACH (_ IN CASE size(nodes) WHEN 0 THEN [] ELSE [1] END |
  SET meta.building_cursor = nodes[-1].id + ' ' + nodes[-1].workspace_id, meta.building_done = meta.building_done + size(nodes))
RETURN size(nodes) AS copied
