// name: get_archive_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: refs list<string> — element ids
// param: label string — that says what they are
// param: user_id string? — whose alone; null: all of the workspace
// param: vector_property string? — property of the vectors in use; null: no vectors
// column: ref string
// column: labels list<string>
// column: properties map — all properties except vectors, so that the archive includes those of later releases
// column: vector list<float>?
// why: checks each node again, because Neo4j may have given the element id of a deleted node to another one
CYPHER 25
UNWIND $refs AS ref
MATCH (node {workspace_id: $workspace_id})
WHERE elementId(node) = ref AND $label IN labels(node)
  // include: archived_for_user of node
RETURN ref, labels(node) AS labels, node {.*, embedding_a: null, embedding_b: null, workspace_id: null} AS properties,
       CASE WHEN $vector_property IS NULL THEN null ELSE node[$vector_property] END AS vector
