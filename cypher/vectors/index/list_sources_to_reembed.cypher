// name: list_sources_to_reembed
// mode: read
// returns: many
// unscoped: one vector index serves all workspaces
// param: vector_property string — of the slot being filled
// param: signature string — of its embedder
// param: after string — "<id> <workspace>" of the previous node; ids contain no blanks
// param: limit integer
// column: source map — see graph.vectors.index.models.EmbeddingSource
CYPHER 25
CALL () {
  MATCH (node:Searchable)
  WHERE node.id >= split($after, ' ')[0] AND node.id + ' ' + node.workspace_id > $after AND node[$vector_property] IS NULL
    AND coalesce(node.unembeddable_by <> $signature, true)
  RETURN node
  ORDER BY node.id, node.workspace_id
  LIMIT $limit
}
OPTIONAL MATCH (previous:Memory {workspace_id: node.workspace_id, active: true})-[:NEXT]->(node)
OPTIONAL MATCH (node)-[:NEXT]->(following:Memory {workspace_id: node.workspace_id, active: true})
RETURN node {
    .workspace_id, .id, .revision, .speaker, .words, content: coalesce(node.content, node.search_text),
    keywords: node.embedded_keywords, tags: node.embedded_tags,
    previous: previous {.content, .speaker}, following: following {.content, .speaker}
  } AS source
