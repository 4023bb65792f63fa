// name: sweep_expired
// mode: write
// returns: many
// unscoped: the sweeper serves all workspaces; it only removes memories from the indexes that no query returns any more
// param: now datetime
// param: limit integer
// param: mirrors boolean — also remove them from the external vector store
// column: workspace_id string — one row per swept memory; fewer rows than the limit mean that none is left
// column: turn_scope string? — chain of a turn
// column: position integer?
// column: id string
// why: every query excludes expired memories by time; removing them from the indexes keeps them from filling result
//   lists; records each as forgotten
CYPHER 25
MATCH (memory:Memory)
WHERE memory.active = true AND memory.expires_at <= $now
WITH memory LIMIT $limit
// include: lock of memory
WITH memory
WHERE memory['active'] AND memory['expires_at'] <= $now
SET memory.active = false, memory.dedup_key = null
// include: out_of_text_indexes
WITH memory
CALL (memory) {
  MATCH (memory)<-[:PART_OF]-(passage:Passage)
  SET passage.active = false
}
CALL (memory) {
  CREATE (change:AutomaticChange {
    workspace_id: memory.workspace_id, id: 'chg_' + replace(randomUUID(), '-', ''), kind: 'FORGOTTEN', subject_kind: 'MEMORY',
    subject_id: memory.id, rule: 'expiry', user_id: coalesce(memory.user_id, ''), agent_id: coalesce(memory.agent_id, ''),
    other_ids: [], count: 1, is_final: false, created_at: $now
  })
}
CALL (memory) {
  WITH memory AS row
  WHERE $mirrors
  // include: mirroring_job
}
RETURN memory.workspace_id AS workspace_id, memory.turn_scope AS turn_scope, memory.position AS position,
       memory.id AS id
