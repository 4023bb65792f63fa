// name: list_embedding_sources
// mode: read
// returns: many
// unscoped: one batch holds memories of several workspaces; each row is matched with its own
// param: subjects list<map> — {workspace_id, id}
// column: source map — see graph.embeddings.models.EmbeddingSource
CYPHER 25
UNWIND $subjects AS subject
MATCH (memory:Memory {workspace_id: subject.workspace_id, id: subject.id})
OPTIONAL MATCH (previous:Memory {workspace_id: subject.workspace_id})-[:NEXT]->(memory)
OPTIONAL MATCH (memory)-[:NEXT]->(following:Memory {workspace_id: subject.workspace_id})
RETURN memory {
    .workspace_id, .id, .revision, .content, .speaker, .words, previous: previous {.content, .speaker},
    following: following {.content, .speaker}
  } AS source
