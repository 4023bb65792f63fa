// name: create_archive_nodes
// mode: write
// returns: many
// param: workspace_id string
// param: rows list<map> — {number, labels, properties, vector: list<float> or null}
// param: vector_property string — property of the vectors in use
// column: number integer
// column: ref string — the element id
CYPHER 25
UNWIND $rows AS row
CREATE (node:$(row.labels) {workspace_id: $workspace_id})
SET node += row.properties
WITH node, row
CALL (node, row) {
  WITH node, row
  WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(node, $vector_property, row.vector)
}
RETURN row.number AS number, elementId(node) AS ref
