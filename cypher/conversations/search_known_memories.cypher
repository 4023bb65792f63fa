// name: search_known_memories
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: text_queries list<map> — {index, query}: Lucene queries with the workspace as a required clause
// param: searched integer — most hits of each index before filtering; they include turns, which the query drops
// param: limit integer
// param: now datetime
// column: memory map — see graph.conversations.extraction.models.KnownMemory
// why: finds memories that may already state a new fact or that it may supersede: memories that match its words, and the
//   latest memories of the same conversation, which the rules may have saved a moment ago; skips ended memories
CYPHER 25
CALL () {
  UNWIND $text_queries AS leg
  CALL db.index.fulltext.queryNodes(leg.index, leg.query, {limit: $searched}) YIELD node, score
  WHERE node.workspace_id = $workspace_id
  RETURN node AS memory, score
UNION ALL
  MATCH (memory:Memory {workspace_id: $workspace_id, source_conversation_id: $conversation_id})
  USING INDEX memory:Memory(workspace_id, source_conversation_id)
  WHERE memory.turn_scope IS NULL
  WITH memory
  ORDER BY memory.created_at DESC
  LIMIT $limit
  RETURN memory, 1000.0 AS score
}
WITH memory, max(score) AS score
WHERE memory.turn_scope IS NULL AND memory.deleted_at IS NULL AND (memory.expires_at IS NULL OR memory.expires_at > $now)
  AND coalesce(memory.t_invalid > $now, true)
  // include: in_scope
  AND NOT
    // include: superseded
WITH memory
ORDER BY score DESC, memory.id
LIMIT $limit
RETURN memory {.id, .content, .version, .source_type, .timestamp} AS memory
