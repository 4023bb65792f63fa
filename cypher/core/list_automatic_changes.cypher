// name: list_automatic_changes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: kinds list<string> — empty: all
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string?
// param: limit integer
// column: change map — newest first; the words of the message if no own words are stored
CYPHER 25
MATCH (change:AutomaticChange {workspace_id: $workspace_id})
WHERE change.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR change.created_at < $after_created OR change.id < $after_id)
  AND ($kinds = [] OR change.kind IN $kinds)
  // include: in_scope of change
WITH change
ORDER BY change.workspace_id DESC, change.created_at DESC, change.id DESC
LIMIT $limit
OPTIONAL MATCH (message:Message {
  workspace_id: $workspace_id, conversation_id: change.conversation_id, id: change.message_id
})
WHERE true
  // include: in_scope of message
WITH change, coalesce(change.words, left(message.content, 500)) AS words
ORDER BY change.created_at DESC, change.id DESC
RETURN change {
  // include: automatic_change_fields
  , words: words
} AS change
