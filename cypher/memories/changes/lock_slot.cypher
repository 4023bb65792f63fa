// name: lock_slot
// mode: write
// returns: many
// param: workspace_id string
// param: slot_query string — Lucene query of the index memory_slots, with the workspace as a clause
// param: now datetime
// param: limit integer
// column: member map — the latest statements; see graph.memories.changes.timeline.Member
// why: excludes deleted and expired memories and turns; locks in the order of ids, so that two jobs with common memories
//   cannot deadlock; matches the memories again, because Neo4j caches what it read of a node before the lock
CYPHER 25
CALL db.index.fulltext.queryNodes('memory_slots', $slot_query) YIELD node AS found
WHERE found.workspace_id = $workspace_id
WITH found
WHERE found.active AND found.turn_scope IS NULL
ORDER BY found.timestamp DESC, found.created_at DESC, found.id DESC
LIMIT $limit
WITH found.id AS id
ORDER BY id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
// include: lock of memory
WITH memory
WHERE memory['workspace_id'] = $workspace_id AND memory['active'] AND coalesce(memory['expires_at'] > $now, true)
RETURN memory {
    .id, .content, .speaker, .user_id, .agent_id, .timestamp, .created_at, .t_valid, .t_invalid, .slot_closed_at,
    .slot_keys, .state_keys, .slot_refused,
    closings: [(memory)-[edge:INVALIDATED_BY]->(newer:Memory {workspace_id: $workspace_id}) WHERE edge.by = 'slot'
               | {id: edge.id, key: edge.key, newer_id: newer.id, at: edge.at}]
  } AS member
