// name: list_sources_to_reembed
// mode: read
// returns: many
// unscoped: one vector index serves every workspace
// param: vector_property string — of the slot being filled
// param: signature string — of its embedder
// param: after_id string
// param: limit integer
// column: source map — see graph.embeddings.models.EmbeddingSource
CYPHER 25
CALL () {
  MATCH (memory:Memory)
  WHERE memory.id > $after_id AND memory[$vector_property] IS NULL
    AND coalesce(memory.unembeddable_by <> $signature, true)
  RETURN memory
  ORDER BY memory.id
  LIMIT $limit
}
OPTIONAL MATCH (previous:Memory {workspace_id: memory.workspace_id})-[:NEXT]->(memory)
OPTIONAL MATCH (memory)-[:NEXT]->(following:Memory {workspace_id: memory.workspace_id})
RETURN memory {
    .workspace_id, .id, .revision, .content, .speaker, .words, previous: previous {.content, .speaker},
    following: following {.content, .speaker}
  } AS source
