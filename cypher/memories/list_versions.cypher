// name: list_versions
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: memory_ids list<string>
// param: limit integer — maximum versions per memory, the newest first
// column: memory_id string
// column: version integer
// column: content string
// column: created_at datetime — time at which the text was replaced
CYPHER 25
UNWIND $memory_ids AS memory_id
MATCH (memory:Memory {workspace_id: $workspace_id, id: memory_id})
USING INDEX memory:Memory(workspace_id, id)
WHERE true
  // include: in_scope
CALL (memory_id) {
  MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: memory_id})
  USING INDEX version:MemoryVersion(workspace_id, memory_id)
  RETURN version
  ORDER BY version.version DESC
  LIMIT $limit
}
RETURN memory_id, version.version AS version, version.content AS content, version.created_at AS created_at
