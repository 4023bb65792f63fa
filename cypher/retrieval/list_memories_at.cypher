// name: list_memories_at
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: kinds list<string> — empty: any
// param: session_id string?
// param: api_key_id string?
// param: text string? — substring of content or key, folded and in lower case
// param: now datetime — excludes expired memories
// param: offset integer
// param: limit integer
// column: memory map
// why: for interfaces with numbered pages; only pages by cursor (list_memories) neither miss nor repeat rows
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at <= datetime('9999-12-31T00:00:00Z')
  AND memory.deleted_at IS NULL
  AND coalesce(memory.expires_at > $now, true)
  // include: in_scope
  AND ($text IS NULL OR coalesce(memory.folded_content, toLower(memory.content)) CONTAINS $text
     OR coalesce(memory.folded_key, toLower(memory.key)) CONTAINS $text)
  AND ($kinds = [] OR memory.kind IN $kinds)
  AND ($session_id IS NULL OR memory.session_id = $session_id)
  AND ($api_key_id IS NULL OR memory.api_key_id = $api_key_id)
WITH memory
ORDER BY memory.workspace_id DESC, memory.created_at DESC, memory.id DESC
SKIP $offset
LIMIT $limit
RETURN
  memory {
    // include: memory_fields
  } AS memory
