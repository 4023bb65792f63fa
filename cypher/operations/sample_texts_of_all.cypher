// name: sample_texts_of_all
// mode: read
// returns: many
// unscoped: samples the languages of the whole store, because one model embeds it; the caller returns only their shares
// param: count integer
// param: length integer — length of the returned beginning of each text, in characters
// column: text string — of memories spread over the store
// allow: NodeByLabelScan — runs when a person calls the doctor, and once a day for the engine status
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
