// name: lock_document
// mode: write
// returns: one
// param: workspace_id string
// param: key string
// param: id string — used if no document with that key exists
// param: now datetime
// column: id string
// column: document map? — as it is stored; null for one that was just made
// why: writing updated_at takes the node's lock, so that concurrent calls add a document once; for an unchanged
//   document this is the only write
CYPHER 25
MERGE (document:Document {workspace_id: $workspace_id, key: $key})
  ON CREATE SET document.id = $id, document.created_at = $now
SET document.updated_at = $now
RETURN
  document.id AS id,
  CASE WHEN document.content_hash IS NULL THEN null ELSE document {
    // include: document_fields
  } END AS document
