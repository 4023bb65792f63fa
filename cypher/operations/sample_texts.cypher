// name: sample_texts
// mode: read
// returns: many
// param: workspace_id string
// param: count integer
// param: length integer — length of the returned beginning of each text, in characters
// column: text string — of the newest memories
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.created_at IS NOT NULL AND memory.active
WITH memory ORDER BY memory.created_at DESC LIMIT $count
RETURN left(memory.content, $length) AS text
