// name: list_mirror_sources
// mode: read
// returns: many
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: subjects list<map> — {workspace_id, id}
// param: slot string — of the vectors in use
// param: vector_property string — property of the vectors
// param: now datetime
// column: source map — see graph.vectors.external.models.MirrorSource
// column: vector list<float>
// column: parts list<list<float>> — vectors of its passages
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
    .workspace_id, .id, .revision, .content, .speaker, .words, .key, .metadata, .api_key_id, .session_id, .created_at,
    .expires_at, user_id: coalesce(memory.user_id, ''), previous: previous {.content, .speaker}, following: following {.content, .speaker},
    stamp: memory.revision + '/' + coalesce(memory.embedded_revision, 0) + '/' + toString(memory.updated_at)
  } AS source,
  memory[$vector_property] AS vector,
  [(memory)<-[:PART_OF]-(part:Passage {workspace_id: subject.workspace_id, slot: $slot})
   | part[$vector_property]] AS parts
