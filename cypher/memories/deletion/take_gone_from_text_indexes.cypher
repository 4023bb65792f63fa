// name: take_gone_from_text_indexes
// mode: write
// returns: one
// unscoped: what every workspace stored before; only what no query shows any more is changed
// param: limit integer
// column: count integer — how many were found, of which none is changed that was restored meanwhile; below the limit when
//   none is left
// allow: NodeByLabelScan — once in the life of a store, until it is noted as done
CYPHER 25
MATCH (memory:Memory)
WHERE memory.active = false AND memory.search_text IS NOT NULL
WITH memory
LIMIT $limit
// include: lock of memory
WITH memory
CALL (memory) {
  WITH memory
  WHERE memory['active'] = false
  // include: out_of_text_indexes
}
RETURN count(*) AS count
