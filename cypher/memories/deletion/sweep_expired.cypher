// name: sweep_expired
// mode: write
// returns: many
// unscoped: the sweeper serves every workspace; it only takes out of sight what no query shows any more
// param: now datetime
// param: limit integer
// param: mirrors boolean — whether the external vector tier is to drop them too
// column: workspace_id string — of each memory that was swept; fewer than the limit when nothing is left
// column: turn_scope string? — where it stands, if it is a turn
// column: position integer?
// column: id string
// why: every query leaves expired memories out by their time; this keeps them from filling the lists of the indexes,
//   and lists each as forgotten
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
