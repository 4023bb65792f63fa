CYPHER 25
UNWIND $nodes AS row
CREATE (node:Searchable {id: row.id, workspace_id: $ws, search_kind: row.kind, search_text: row.text,
                         search_keys: row.keys, active: row.active, revision: 1, state: 'EMBEDDED'})
SET node:$(row.label)
WITH node, row
CALL (node, row) {
  WITH node, row
  WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(node, $vector_property, row.vector)
}
