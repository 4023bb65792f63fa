// name: lock_slot
// mode: write
// returns: many
// param: workspace_id string
// param: slot_query string — Lucene query of the index memory_slots, with the workspace as a clause
// param: now datetime
// param: limit integer
// column: member map — the latest statements; see graph.memories.changes.timeline.Member
// why: excludes deleted and expired memories and turns; locks in the order of ids, so that two jobs with common memories
//   cannot deadlock
CYPHER 25
CALL db.index.fulltext.queryNodes('memory_slots', $slot_query) YIELD node AS memory
WHERE memory.workspace_id = $workspace_id
WITH memory
WHERE memory.active AND memory.turn_scope IS NULL
ORDER BY memory.timestamp DESC, memory.created_at DESC, memory.id DESC
LIMIT $limit
WITH memory
ORDER BY memory.id
// include: lock of memory
WITH memory
WHERE memory['workspace_id'] = $workspace_id AND memory['active'] AND coalesce(memory['expires_at'] > $now, true)
RETURN memory {
    .id, .content, .speaker, .user_id, .agent_id, .timestamp, .created_at, .t_valid, .t_invalid, .slot_closed_at,
    .slot_keys, .slot_refused,
    closings: [(memory)-[edge:INVALIDATED_BY]->(newer:Memory {workspace_id: $workspace_id}) WHERE edge.by = 'slot'
               | {id: edge.id, key: edge.key, newer_id: newer.id, at: edge.at}]
  } AS member
