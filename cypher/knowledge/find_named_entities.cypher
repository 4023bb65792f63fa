// name: find_named_entities
// mode: read
// returns: many
// param: workspace_id string
// param: queries list<string> — Lucene over the index entity_names, each with the workspace as a required clause
// param: limit integer — entities found by each query
// column: entity map — {id, type, name, aliases, name_keys, by_hand}; what was merged into another goes by that one's aliases
CYPHER 25
UNWIND $queries AS query
CALL db.index.fulltext.queryNodes('entity_names', query, {limit: $limit}) YIELD node
WHERE node.workspace_id = $workspace_id
WITH DISTINCT node AS entity
WHERE entity.active
RETURN entity {
    .id, .type, .name, .aliases, .name_keys,
    by_hand: coalesce(entity.by_hand, false) OR EXISTS { (entity)-[:FROM]->(:Connection {workspace_id: $workspace_id}) }
  } AS entity
