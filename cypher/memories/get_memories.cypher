// name: get_memories
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// param: include_deleted boolean — include soft-deleted and expired memories
// param: now datetime
// column: memory map
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE ($include_deleted
    OR (memory.deleted_at IS NULL AND coalesce(memory.expires_at > $now, true)))
  // include: in_scope
RETURN
  memory {
    // include: memory_fields
  } AS memory
