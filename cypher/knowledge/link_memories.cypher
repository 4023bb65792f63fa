// name: link_memories
// mode: write
// returns: many
// param: workspace_id string
// param: memories list<map> — {id, version (of the text that was read), entity_ids, mentions: [{entity_id, how, surface}]}
// param: automatic list<string> — values of `how` whose edges linking may remove again
// param: now datetime
// column: id string — of each memory that still has that text
// why: a changed text, or a memory in another workspace, has its own job; a duplicate leads to the entity that it was
//   merged into; hidden edges of a duplicate stay as long as the text, so that the merge can be undone; a mention taken
//   over from a duplicate becomes the entity's own when the text no longer has the duplicate's name; locks the entities
//   before reading their merges
CYPHER 25
CALL () {
  UNWIND $memories AS row
  UNWIND row.mentions AS mention
  WITH DISTINCT mention.entity_id AS id
  MATCH (found:Entity {workspace_id: $workspace_id, id: id})
  USING INDEX found:Entity(workspace_id, id)
  MATCH (found)
        ((merged WHERE merged.workspace_id = $workspace_id)-[:MERGED_INTO]->(into WHERE into.workspace_id = $workspace_id)){0,20}
        (entity WHERE entity.workspace_id = $workspace_id)
  WITH DISTINCT entity
  ORDER BY entity.id
  // include: lock of entity
}
UNWIND $memories AS row
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX memory:Memory(workspace_id, id)
// include: lock of memory
WITH memory, row
WHERE memory['workspace_id'] = $workspace_id AND memory['version'] = row.version
CALL (memory, row) {
  MATCH (memory)-[old:MENTIONS]->(entity WHERE entity.workspace_id = $workspace_id)
  WHERE old.how IN $automatic AND NOT entity.id IN row.entity_ids
    AND (entity.active OR coalesce(memory.linked_version <> row.version, true))
  DELETE old
}
CALL (memory, row) {
  UNWIND row.mentions AS mention
  MATCH (found:Entity {workspace_id: $workspace_id, id: mention.entity_id})
  USING INDEX found:Entity(workspace_id, id)
  MATCH (found)
        ((merged WHERE merged.workspace_id = $workspace_id)-[:MERGED_INTO]->(into WHERE into.workspace_id = $workspace_id)){0,20}
        (entity WHERE entity.workspace_id = $workspace_id)
  WHERE entity.active
  WITH memory, mention, entity, found <> entity OR EXISTS {
    MATCH (memory)-[kept:MENTIONS]->(duplicate WHERE duplicate.workspace_id = $workspace_id)-[:MERGED_INTO]->(entity)
    WHERE kept.surface = mention.surface
  } AS is_of_duplicate
  MERGE (memory)-[edge:MENTIONS]->(entity)
    ON CREATE SET edge.how = mention.how, edge.surface = mention.surface, edge.created_at = $now
    ON MATCH SET edge.surface = CASE WHEN edge.how IN $automatic THEN mention.surface ELSE edge.surface END,
                 edge.via_merge = CASE WHEN is_of_duplicate THEN edge.via_merge END
}
SET memory.linked_version = row.version, memory.enriched = true, memory.linking_failure = null,
    memory.state = CASE WHEN memory.state = 'EMBEDDED' THEN 'LINKED' ELSE memory.state END
RETURN memory.id AS id
