// name: list_forgotten_texts
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: limit integer
// column: content string
// why: the prompt forbids the language model to restate these texts; a permanently deleted memory has no text left, and
//   of a long turn the first 500 characters suffice
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, source_conversation_id: $conversation_id})
WHERE memory.deleted_at IS NOT NULL
WITH memory
ORDER BY memory.deleted_at DESC, memory.id
LIMIT $limit
RETURN left(memory.content, 500) AS content
