// name: list_archive_edges
// mode: read
// returns: many
// param: workspace_id string
// param: refs list<string> — element ids of the nodes where edges begin
// param: label string — that says what these are
// param: user_id string? — whose alone; null: all of the workspace
// column: source string
// column: target string
// column: target_labels list<string>
// column: type string
// column: properties map
// why: checks each node again, because Neo4j may have given the element id of a deleted node to another one
CYPHER 25
UNWIND $refs AS source
MATCH (node {workspace_id: $workspace_id})
WHERE elementId(node) = source AND $label IN labels(node)
  // include: archived_for_user of node
MATCH (node)-[edge]->(other {workspace_id: $workspace_id})
WHERE true
  // include: archived_for_user of other
RETURN source, elementId(other) AS target, labels(other) AS target_labels, type(edge) AS type,
       properties(edge) AS properties
