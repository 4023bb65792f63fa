// name: list_newest
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads
// param: terms list<string> — stems of the query, each between spaces
// param: only_current boolean — exclude superseded memories
// param: now datetime
// param: limit integer — maximum memories read, the newest first
// column: id string
// column: matched list<string> — terms in its text, key, tags, keywords or metadata
// why: newest first from the index on (workspace_id, created_at); compares words with the newest only, so that the cost
//   does not depend on the size of the workspace
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at <= datetime('9999-12-31T00:00:00Z')
  AND memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: memory_filter
  // include: in_scope
  AND (NOT $only_current OR NOT
    // include: superseded
  )
WITH memory
ORDER BY memory.workspace_id DESC, memory.created_at DESC, memory.id DESC
LIMIT $limit
RETURN memory.id AS id, [term IN $terms WHERE memory.terms CONTAINS term] AS matched
ORDER BY memory.created_at DESC, memory.id DESC
