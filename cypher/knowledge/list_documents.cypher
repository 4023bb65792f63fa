// name: list_documents
// mode: read
// returns: many
// param: workspace_id string
// param: connection_id string?
// param: media_type string?
// param: text string? — folded, in lower case; what title or URI must contain
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: document map
// why: reads the index on (workspace_id, created_at), newest first; id breaks ties
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id})
WHERE document.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR document.created_at < $after_created OR document.id < $after_id)
  AND ($connection_id IS NULL OR document.connection_id = $connection_id)
  AND ($media_type IS NULL OR document.media_type = $media_type)
  AND ($text IS NULL OR coalesce(document.folded_title, toLower(document.title)) CONTAINS $text
       OR toLower(coalesce(document.uri, '')) CONTAINS $text)
WITH document
ORDER BY document.workspace_id DESC, document.created_at DESC, document.id DESC
LIMIT $limit
RETURN document {
  // include: document_fields
} AS document
