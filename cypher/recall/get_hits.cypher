// name: get_hits
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// param: relation_limit integer — relations shown for each hit, the strongest first
// column: memory map
// column: relations list<map> — {id, type, direction, strength, created_at, other_id}
// why: texts are read for the few memories that are shown, not for every candidate
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
CALL (memory) {
  OPTIONAL MATCH (memory)-[edge:INVALIDATED_BY|DERIVED_FROM|PREFERS_OVER|EVOLVED_INTO|RELATES_TO]-(
    other:Memory {workspace_id: $workspace_id})
  WHERE other.deleted_at IS NULL
  WITH memory, edge, other
  ORDER BY edge.strength DESC
  LIMIT $relation_limit
  RETURN collect(CASE WHEN edge IS NULL THEN null ELSE {
    id: edge.id, type: type(edge), direction: CASE WHEN startNode(edge) = memory THEN 'OUT' ELSE 'IN' END,
    strength: edge.strength, created_at: edge.created_at, other_id: other.id
  } END) AS relations
}
RETURN
  memory {
    .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
    .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
    .speaker, .timestamp, .created_at, .updated_at, .last_accessed_at, .t_valid, .t_invalid, .expires_at, .deleted_at,
    .old_text, .usage_count, .last_used_at, .enriched, .state, .failure, .version
  } AS memory,
  relations
