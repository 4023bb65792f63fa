// name: find_version
// mode: read
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: memory_id string
// param: version integer
// column: content string
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, id: $memory_id})
WHERE true
  // include: in_scope
MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: $memory_id, version: $version})
RETURN version.content AS content
