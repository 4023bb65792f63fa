// name: update_memories
// mode: write
// returns: many
// param: workspace_id string
// param: updates list<map> — {id, properties, previous_content (null when the text stays), embedding (or null)}
// param: vector_property string
// param: now datetime
// column: memory map
// why: a changed text keeps the one before as a MemoryVersion, so every change can be taken back
CYPHER 25
UNWIND $updates AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
CALL (memory, row) {
  WITH memory, row
  WHERE row.previous_content IS NOT NULL
  OPTIONAL MATCH (memory)-[link:PREVIOUS]->(older:MemoryVersion {workspace_id: $workspace_id})
  CREATE (version:MemoryVersion {
    workspace_id: $workspace_id, memory_id: memory.id, version: memory.version, content: row.previous_content,
    created_at: $now
  })
  CREATE (memory)-[:PREVIOUS]->(version)
  FOREACH (_ IN CASE WHEN older IS NULL THEN [] ELSE [1] END |
    DELETE link
    CREATE (version)-[:PREVIOUS]->(older))
}
SET memory += row.properties
WITH memory, row
CALL (memory, row) {
  WITH memory, row
  WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(memory, $vector_property, row.embedding)
  SET memory.embedded_revision = memory.revision
}
RETURN
  memory {
    .id, .workspace_id, .content, .summary, .category, .type, .kind, .facet, .key, .tags, .keywords, .importance,
    .confidence, .metadata, .source_type, .source_conversation_id, .source_message_id, .session_id, .api_key_id,
    .speaker, .timestamp, .created_at, .updated_at, .last_accessed_at, .t_valid, .t_invalid, .expires_at, .deleted_at,
    .old_text, .usage_count, .last_used_at, .enriched, .state, .failure, .version
  } AS memory
