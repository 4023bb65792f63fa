// name: get_documents
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: document map
CYPHER 25
UNWIND $ids AS id
MATCH (document:Document {workspace_id: $workspace_id, id: id})
USING INDEX document:Document(workspace_id, id)
RETURN document {
  // include: document_fields
} AS document
