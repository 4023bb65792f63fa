// name: sample_texts_of_all
// mode: read
// returns: many
// unscoped: the languages of the whole store, which one model embeds; only their share leaves the caller
// param: count integer
// param: length integer — of the beginning of each text, in characters
// column: text string — of memories spread over the store
// allow: NodeByLabelScan — the doctor asks by hand, the engine once a day
// why: reads each memory with the same probability, so that old and new ones count equally
CYPHER 25
CALL () {
  MATCH (memory:Memory)
  RETURN count(memory) AS stored
}
MATCH (memory:Memory)
WHERE memory.active AND rand() * stored < 2 * $count
WITH memory LIMIT $count
RETURN left(memory.content, $length) AS text
