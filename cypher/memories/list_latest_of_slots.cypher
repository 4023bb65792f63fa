// name: list_latest_of_slots
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: slots list<map> — {key, query}: Lucene query of the index memory_slots, with the workspace as a clause
// param: now datetime
// column: key string
// column: memory map — the latest live memory of the slot
// why: a new memory that repeats a replaced state is not a duplicate of it
CYPHER 25
UNWIND $slots AS slot
CALL (slot) {
  CALL db.index.fulltext.queryNodes('memory_slots', slot.query) YIELD node AS memory
  WHERE memory.workspace_id = $workspace_id
  WITH memory
  WHERE memory.active AND memory.turn_scope IS NULL AND coalesce(memory.expires_at > $now, true)
    // include: in_scope
  RETURN memory
  ORDER BY memory.timestamp DESC, memory.created_at DESC, memory.id DESC
  LIMIT 1
}
RETURN
  slot.key AS key,
  memory {
    // include: memory_fields
  } AS memory
