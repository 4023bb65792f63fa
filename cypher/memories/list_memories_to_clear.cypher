// name: list_memories_to_clear
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: api_key_id string?
// param: types list<string> — empty: all, as for the lists below
// param: kinds list<string>
// param: facets list<string>
// param: created_before datetime?
// param: include_deleted boolean — include soft-deleted memories
// param: limit integer
// column: id string
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE ($api_key_id IS NULL OR memory.api_key_id = $api_key_id)
  AND ($types = [] OR memory.type IN $types)
  AND ($kinds = [] OR memory.kind IN $kinds)
  AND ($facets = [] OR memory.facet IN $facets)
  AND memory.created_at < coalesce($created_before, datetime('9999-12-31T00:00:00Z'))
  AND ($include_deleted OR memory.deleted_at IS NULL)
  // include: in_scope
RETURN memory.id AS id
ORDER BY memory.workspace_id, memory.created_at, memory.id
LIMIT $limit
