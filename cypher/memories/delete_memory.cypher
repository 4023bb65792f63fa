// name: delete_memory
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: the node, its versions, its jobs and all its edges go together; the turns around it are joined again
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, id: $id})
OPTIONAL MATCH (before:Memory {workspace_id: $workspace_id})-[:NEXT]->(memory)
OPTIONAL MATCH (memory)-[:NEXT]->(after:Memory {workspace_id: $workspace_id})
FOREACH (_ IN CASE WHEN before IS NULL OR after IS NULL THEN [] ELSE [1] END | CREATE (before)-[:NEXT]->(after))
WITH memory, memory.id AS id
CALL (id) {
  MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: id})
  DETACH DELETE version
}
CALL (id) {
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: id})
  DETACH DELETE job
}
DETACH DELETE memory
RETURN id
