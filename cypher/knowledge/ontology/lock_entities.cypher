// name: lock_entities
// mode: write
// returns: many
// param: workspace_id string
// param: names list<string> — ids or keys
// column: asked string — the id or key that was given
// column: by_key boolean — whether it is a key
// column: is_duplicate boolean — whether it named an entity that was merged into the one returned
// column: has_left boolean — it was merged into another one while this query waited for its lock
// column: entity map — the entity as it is under the lock
// why: prevents lost updates of the same entity; a duplicate leads to the entity that it was merged into
CYPHER 25
CALL () {
  UNWIND $names AS asked
  MATCH (found:Entity {workspace_id: $workspace_id, id: asked})
  USING INDEX found:Entity(workspace_id, id)
  RETURN asked, false AS by_key, found
UNION
  UNWIND $names AS asked
  MATCH (found:Entity {workspace_id: $workspace_id, key: asked})
  USING INDEX found:Entity(workspace_id, key)
  RETURN asked, true AS by_key, found
}
MATCH (found)
      ((merged WHERE merged.workspace_id = $workspace_id)-[:MERGED_INTO]->(into WHERE into.workspace_id = $workspace_id)){0,20}
      (entity WHERE entity.workspace_id = $workspace_id)
WHERE NOT EXISTS { (entity)-[:MERGED_INTO]->(next WHERE next.workspace_id = $workspace_id) }
WITH asked, by_key, found, entity
ORDER BY entity.id
// include: lock of entity
RETURN
  asked, by_key, entity <> found AS is_duplicate,
  EXISTS { (entity)-[:MERGED_INTO]->(next WHERE next.workspace_id = $workspace_id) } AS has_left,
  entity {
    .id, .workspace_id, .key, .type, .name, .aliases, .description, .summary, .properties, .uri, .state,
    .created_at, .updated_at, .deleted_at, .revision, by_hand: coalesce(entity.by_hand, true),
    connection_ids: [(entity)-[:FROM]->(connection WHERE connection.workspace_id = $workspace_id) | connection.id]
  } AS entity
