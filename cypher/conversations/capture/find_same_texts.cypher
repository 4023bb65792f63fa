// name: find_same_texts
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: hashes list<string>
// column: position integer
// column: content_hash string
// column: role string?
// why: where texts that come without an id or a place were said already
CYPHER 25
UNWIND $hashes AS hash
MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, content_hash: hash})
WHERE message.position IS NOT NULL
RETURN message.position AS position, message.content_hash AS content_hash, message.role AS role
ORDER BY position
