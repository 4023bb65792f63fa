// name: find_version
// mode: read
// returns: optional
// param: workspace_id string
// param: memory_id string
// param: version integer
// column: content string
CYPHER 25
MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: $memory_id, version: $version})
RETURN version.content AS content
