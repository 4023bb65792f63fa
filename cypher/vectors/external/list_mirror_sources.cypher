// name: list_mirror_sources
// mode: read
// returns: many
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: subjects list<map> — {workspace_id, id}
// param: slot string — of the vectors in use
// param: vector_property string — property of the vectors
// param: now datetime
// column: source map — see graph.vectors.index.models.EmbeddingSource
// column: point map — see graph.core.ports.TierPoint; metadata is JSON, parts are the vectors of its passages
// column: stamp string — changes with every mirrored property
// why: a memory without a row must leave the store; the job sends the current state, so that it may run late, twice
//   and in any order
CYPHER 25
UNWIND $subjects AS subject
MATCH (memory:Memory {workspace_id: subject.workspace_id, id: subject.id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.active AND coalesce(memory.expires_at > $now, true) AND memory[$vector_property] IS NOT NULL
  AND EXISTS {
    MATCH (workspace:Workspace {id: subject.workspace_id})
    WHERE workspace.deleted_at IS NULL
  }
OPTIONAL MATCH (previous:Memory {workspace_id: subject.workspace_id, active: true})-[:NEXT]->(memory)
OPTIONAL MATCH (memory)-[:NEXT]->(following:Memory {workspace_id: subject.workspace_id, active: true})
RETURN memory {
    .workspace_id, .id, .revision, .content, .speaker, .words,
    keywords: memory.embedded_keywords, tags: memory.embedded_tags,
    previous: previous {.content, .speaker}, following: following {.content, .speaker}
  } AS source,
  memory {
    .workspace_id, memory_id: memory.id, .api_key_id, .session_id, .key, .content, .metadata, .created_at, .expires_at,
    user_id: coalesce(memory.user_id, ''), vector: memory[$vector_property],
    parts: [(memory)<-[:PART_OF]-(part:Passage {workspace_id: subject.workspace_id, slot: $slot})
            | part[$vector_property]]
  } AS point,
  memory.revision + '/' + coalesce(memory.embedded_revision, 0) + '/' + toString(memory.updated_at) AS stamp
