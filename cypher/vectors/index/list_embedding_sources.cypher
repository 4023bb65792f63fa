// name: list_embedding_sources
// mode: read
// returns: many
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: subjects list<map> — {workspace_id, id}
// column: source map — see graph.vectors.index.models.EmbeddingSource
// why: skips a vector of more text than the node stores, since it cannot be computed again
CYPHER 25
OPTIONAL MATCH (meta:VectorIndexMeta {name: 'memory'})
UNWIND $subjects AS subject
MATCH (node:Searchable {workspace_id: subject.workspace_id, id: subject.id})
USING INDEX node:Searchable(workspace_id, id)
WHERE NOT coalesce(
  node.embedded_whole_by = node.embedding_signature AND node.embedded_whole_by = meta.active_signature
    AND node['embedding_' + meta.active_slot] IS NOT NULL,
  false)
OPTIONAL MATCH (previous WHERE previous.workspace_id = subject.workspace_id AND previous.active)-[:NEXT]->(node)
OPTIONAL MATCH (node)-[:NEXT]->(following WHERE following.workspace_id = subject.workspace_id AND following.active)
RETURN node {
    .workspace_id, .id, .revision, .speaker, .words, content: coalesce(node.content, node.search_text),
    keywords: node.embedded_keywords, tags: node.embedded_tags,
    previous: CASE WHEN previous:Memory THEN previous {.content, .speaker} END,
    following: CASE WHEN following:Memory THEN following {.content, .speaker} END
  } AS source
