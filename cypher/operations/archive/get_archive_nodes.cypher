// name: get_archive_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: refs list<string> — element ids
// param: vector_property string? — where the vectors in use are kept; null: without vectors
// column: ref string
// column: labels list<string>
// column: properties map — all but vectors; here "all" is meant: what a later release adds is in the archive, too
// column: vector list<float>?
CYPHER 25
UNWIND $refs AS ref
MATCH (node {workspace_id: $workspace_id})
WHERE elementId(node) = ref
RETURN ref, labels(node) AS labels, node {.*, embedding_a: null, embedding_b: null, workspace_id: null} AS properties,
       CASE WHEN $vector_property IS NULL THEN null ELSE node[$vector_property] END AS vector
