// name: find_near_memories
// mode: read
// returns: many
// index: vectors_a
// param: workspace_id string
// param: probes list<map> — {ordinal, vector, user_id}
// param: vector_property string
// param: vector_limit integer — neighbours searched per probe
// param: least_cosine float
// param: now datetime
// column: ordinal integer
// column: memory map
// column: cosine float
// why: only live, trusted memories other than turns can make a new one a duplicate; computes the exact cosine, because the
//   index's is approximate
CYPHER 25
UNWIND $probes AS probe
CALL (probe) {
  MATCH (memory:Memory)
  SEARCH memory IN (
    VECTOR INDEX vectors_a FOR probe.vector
    WHERE memory.workspace_id = $workspace_id AND memory.active = true AND memory.search_kind IN ['memory']
      AND memory.user_id = probe.user_id
    LIMIT $vector_limit
  )
  WITH memory, 2 * vector.similarity.cosine(memory[$vector_property], probe.vector) - 1 AS cosine
  WHERE cosine > $least_cosine
    AND coalesce(memory.user_id, '') = probe.user_id
    AND memory.turn_scope IS NULL
    AND coalesce(memory.expires_at > $now, true)
    AND
      // include: compared
    AND NOT
      // include: has_successor
  RETURN memory, cosine
}
WITH probe, memory, cosine
ORDER BY probe.ordinal, cosine DESC, memory.id
RETURN
  probe.ordinal AS ordinal,
  memory {
    // include: memory_fields
  } AS memory,
  cosine
