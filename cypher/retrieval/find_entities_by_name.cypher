// name: find_entities_by_name
// mode: read
// returns: many
// param: workspace_id string
// param: query string — Lucene query of the index entity_names, with the workspace as a required clause
// param: names list<string> — possible names in the query, normalised
// param: types list<string> — empty: any
// param: name string? — substring of a name or alias, normalised
// param: connection_id string?
// param: limit integer
// column: id string
// column: matched list<string> — names of the entity in names
CYPHER 25
CALL db.index.fulltext.queryNodes('entity_names', $query, {limit: $limit}) YIELD node
WHERE node.workspace_id = $workspace_id
WITH node AS entity
WHERE entity.active
  // include: entity_filter
WITH entity, [name IN $names WHERE name IN entity.name_keys] AS matched
WHERE size(matched) > 0
RETURN entity.id AS id, matched
