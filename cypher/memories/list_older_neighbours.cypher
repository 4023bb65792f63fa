// name: list_older_neighbours
// mode: read
// returns: many
// index: vectors_a
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: latest_limit integer — number of latest memories whose neighbours are searched
// param: vector_property string
// param: vector_limit integer — neighbours searched per memory
// param: least_cosine float
// param: now datetime
// column: memory map — the latest first
// column: other map — an older near memory of the same user
// why: reads live, trusted memories other than turns; skips pairs in which one supersedes the other, and pairs that are
//   already associated as contradictions
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at <= datetime('9999-12-31T00:00:00Z')
  AND memory.active AND memory.turn_scope IS NULL AND memory[$vector_property] IS NOT NULL
  AND coalesce(memory.expires_at > $now, true)
  AND
    // include: compared
  AND NOT
    // include: has_successor
  // include: in_scope
WITH memory
ORDER BY memory.workspace_id DESC, memory.created_at DESC, memory.id DESC
LIMIT $latest_limit
WITH memory, {vector: memory[$vector_property], user_id: coalesce(memory.user_id, '')} AS probe
CALL (memory, probe) {
  MATCH (other:Memory)
  SEARCH other IN (
    VECTOR INDEX vectors_a FOR probe.vector
    WHERE other.workspace_id = $workspace_id AND other.active = true AND other.search_kind IN ['memory']
      AND other.user_id = probe.user_id
    LIMIT $vector_limit
  )
  WITH memory, other, 2 * vector.similarity.cosine(other[$vector_property], probe.vector) - 1 AS cosine
  WHERE cosine > $least_cosine
    AND coalesce(other.user_id, '') = coalesce(memory.user_id, '')
    AND (other.created_at < memory.created_at OR other.created_at = memory.created_at AND other.id < memory.id)
    AND other.turn_scope IS NULL
    AND coalesce(other.expires_at > $now, true)
    AND
      // include: compared of other
    AND NOT
      // include: has_successor of other
    AND NOT EXISTS { (memory)-[:CONTRADICTS]-(other) }
  RETURN other, cosine
}
WITH memory, other, cosine
ORDER BY memory.created_at DESC, memory.id DESC, cosine DESC, other.id
RETURN
  memory {
    // include: memory_fields
  } AS memory,
  other {
    // include: memory_fields of other
  } AS other
