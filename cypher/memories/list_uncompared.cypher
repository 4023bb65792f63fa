// name: list_uncompared
// mode: read
// returns: many
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: subjects list<map> — {workspace_id, id}
// param: vector_property string
// column: memory map
// column: vector list<float>
// why: finds memories that were saved without a vector and have one now
CYPHER 25
UNWIND $subjects AS subject
MATCH (memory:Memory {workspace_id: subject.workspace_id, id: subject.id})
USING INDEX memory:Memory(workspace_id, id)
WHERE memory.to_compare AND memory.active AND memory[$vector_property] IS NOT NULL
RETURN
  memory {
    // include: memory_fields
  } AS memory,
  memory[$vector_property] AS vector
