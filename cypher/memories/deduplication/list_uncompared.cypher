// name: list_uncompared
// mode: read
// returns: many
// unscoped: one batch holds memories of several workspaces; each row is matched with its own
// param: subjects list<map> — {workspace_id, id}
// param: vector_property string
// column: memory map
// column: vector list<float>
// why: finds memories saved before their vector existed that have it now
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
