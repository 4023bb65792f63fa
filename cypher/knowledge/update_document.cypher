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
  // include: document_fields
} AS document
