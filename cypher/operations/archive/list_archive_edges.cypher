// name: list_archive_edges
// mode: read
// returns: many
// param: workspace_id string
// param: refs list<string> — element ids of the nodes that edges begin at
// column: source string
// column: target string
// column: type string
// column: properties map
CYPHER 25
UNWIND $refs AS source
MATCH (node {workspace_id: $workspace_id})
WHERE elementId(node) = source
MATCH (node)-[edge]->(other {workspace_id: $workspace_id})
RETURN source, elementId(other) AS target, type(edge) AS type, properties(edge) AS properties
