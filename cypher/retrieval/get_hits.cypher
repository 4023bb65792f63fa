// name: get_hits
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string> — best first
// param: relation_limit integer — maximum relations per hit, the strongest first
// param: vector_property string
// param: now datetime
// param: merge_above float? — cosine above which a memory may repeat a better one; turns never do; null: never
// column: memory map — times as text, because the driver needs more time for datetimes than for the rest of the page
// column: relations list<map> — {id, type, direction, strength, created_at, other_id}
// column: superseded_by list<string> — ids of live memories that supersede it
// column: near list<string> — ids of better memories with the same text or a near vector, which this one may repeat
// why: reads the texts of returned memories only, not of every candidate; one may have been deleted since the search
CYPHER 25
UNWIND range(0, size($ids) - 1) AS place
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.id = $ids[place] AND memory.deleted_at IS NULL
  // include: in_scope
WITH memory ORDER BY place
WITH collect(memory) AS found
WITH found, [each IN found | CASE WHEN each.turn_scope IS NULL AND $merge_above IS NOT NULL
                             THEN vector(each[$vector_property], size(each[$vector_property]), FLOAT32) END] AS vectors
UNWIND range(0, size(found) - 1) AS place
WITH found, vectors, place, found[place] AS memory
CALL (memory) {
  OPTIONAL MATCH (memory)-[edge:
    // include: association_types
  ]-(
    other:Memory {workspace_id: $workspace_id})
  WHERE other.active AND $relation_limit > 0
    // include: in_scope of other
  WITH memory, edge, other
  ORDER BY coalesce(edge.strength, 0.0) DESC, edge.created_at DESC, edge.id
  LIMIT CASE $relation_limit WHEN 0 THEN 1 ELSE $relation_limit END
  RETURN collect(CASE WHEN edge IS NULL THEN null ELSE {
    id: edge.id, type: type(edge), direction: CASE WHEN startNode(edge) = memory THEN 'OUT' ELSE 'IN' END,
    strength: edge.strength, created_at: edge.created_at, other_id: other.id
  } END) AS relations
}
WITH memory, relations,
     CASE WHEN $merge_above IS NULL OR memory.turn_scope IS NOT NULL THEN []
          ELSE [better IN range(0, place - 1)
                WHERE found[better].turn_scope IS NULL
                  AND (memory.content_hash = found[better].content_hash
                       OR 1 - vector_distance(vectors[place], vectors[better], COSINE) > $merge_above)
                | found[better].id]
     END AS near
RETURN
  memory {
    .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
    .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
    .user_id, .agent_id,
    .speaker, .old_text, .usage_count, .enriched, .state, .version, .duplicate_of,
    timestamp: toString(memory.timestamp), created_at: toString(memory.created_at),
    updated_at: toString(memory.updated_at), last_accessed_at: toString(memory.last_accessed_at),
    t_valid: toString(memory.t_valid), t_invalid: toString(memory.t_invalid), expires_at: toString(memory.expires_at),
    deleted_at: toString(memory.deleted_at), last_used_at: toString(memory.last_used_at),
    key_is_derived: coalesce(memory.key_is_derived, false),
    failure: coalesce(memory.failure, 'linking: ' + memory.linking_failure)
  } AS memory,
  relations,
  // include: successors
  AS superseded_by,
  near
