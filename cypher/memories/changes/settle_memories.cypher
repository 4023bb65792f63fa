// name: settle_memories
// mode: write
// returns: none
// param: workspace_id string
// param: rows list<map> — {id, t_invalid, slot_closed_at, slot_keys, state_keys, slot_refused: ids of memories that must
//   not close it again, dropped: ids of edges to delete, drawn: edges to create as [{id, newer_id, slot, key, words, ended_terms: stems of the
//   older words, at}], changes_validity:
//   whether its validity changes}
// param: now datetime
// why: an edge names the newer statement that closed a slot of the memory; the memory ends once each slot has an edge
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
SET memory.slot_keys = row.slot_keys, memory.state_keys = row.state_keys, memory.slot_closed_at = row.slot_closed_at,
    memory.slot_refused = row.slot_refused
FOREACH (_ IN CASE WHEN row.changes_validity THEN [1] ELSE [] END |
  SET memory.t_invalid = row.t_invalid, memory.updated_at = $now)
WITH memory, row
CALL (memory, row) {
  MATCH (memory)-[edge:INVALIDATED_BY]->(:Memory {workspace_id: $workspace_id})
  WHERE edge.by = 'slot' AND edge.id IN row.dropped
  DELETE edge
}
CALL (memory, row) {
  UNWIND row.drawn AS drawn
  MATCH (newer:Memory {workspace_id: $workspace_id, id: drawn.newer_id})
  USING INDEX newer:Memory(workspace_id, id)
  CREATE (memory)-[:INVALIDATED_BY {
    id: drawn.id, created_at: $now, strength: 1.0, by: 'slot', slot: drawn.slot, key: drawn.key, words: drawn.words,
    ended_terms: drawn.ended_terms, at: drawn.at
  }]->(newer)
}
