// name: update_document
// mode: write
// returns: one
// param: workspace_id string
// param: id string
// param: properties map
// column: document map
CYPHER 25
MATCH (document:Document {workspace_id: $workspace_id, id: $id})
SET document += $properties
RETURN document {
    .id, .workspace_id, .title, .uri, .key, .media_type, .content_hash, .metadata, .connection_id, .chunk_count,
    .stores_text, .active, .created_at, .updated_at
  } AS document
