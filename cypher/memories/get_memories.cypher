// name: get_memories
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// param: include_deleted boolean — deleted and expired ones as well
// param: now datetime
// column: memory map
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE $include_deleted
   OR (memory.deleted_at IS NULL AND coalesce(memory.expires_at > $now, true))
RETURN
  memory {
    // include: memory_fields
  } AS memory
