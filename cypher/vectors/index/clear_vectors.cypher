// name: clear_vectors
// mode: write
// returns: one
// unscoped: one vector index serves all workspaces
// param: vector_property string — of the slot that is emptied
// param: active_property string — of the slot in use
// param: after string — "<id> <workspace>" of the previous node; ids contain no blanks
// param: limit integer — memories examined in this transaction
// param: now datetime
// column: last string? — like after; null if there are no more
// why: a process that does not know of the switch yet writes vectors only to the cleared slot; such nodes are embedded
//   again, because they would lose their only vector
CYPHER 25
CALL () {
  MATCH (node:Searchable)
  WHERE node.id >= split($after, ' ')[0] AND node.id + ' ' + node.workspace_id > $after
  RETURN node
  ORDER BY node.id, node.workspace_id
  LIMIT $limit
}
WITH node, node[$vector_property] IS NOT NULL AND node[$active_property] IS NULL AS is_lost
CALL (node, is_lost) {
  WITH node, is_lost
  WHERE is_lost
  MERGE (job:Job {workspace_id: node.workspace_id, kind: 'EMBED', subject_id: node.id})
    ON CREATE SET job.due_at = $now,
                  // include: new_job
}
REMOVE node[$vector_property]
RETURN max(node.id + ' ' + node.workspace_id) AS last
