// name: delete_memories
// mode: write
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// param: now datetime
// column: id string
// column: turn_scope string? — chain of a turn
// column: position integer?
// why: deletes the node with its passages, versions, jobs, automatic changes and edges, and the message of a turn; links
//   the turns before and after it; a tombstone distinguishes a repeated delete from an unknown id; locks first, so that no
//   writer stores a vector of a deleted memory
CYPHER 25
UNWIND $ids AS id
CALL (id) {
  MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
  USING INDEX memory:Memory(workspace_id, id)
  WHERE true
    // include: in_scope
  // include: lock of memory
  WITH memory
  WHERE memory['workspace_id'] = $workspace_id
  OPTIONAL MATCH (before:Memory {workspace_id: $workspace_id})-[:NEXT]->(memory)
  OPTIONAL MATCH (memory)-[:NEXT]->(after:Memory {workspace_id: $workspace_id})
  FOREACH (_ IN CASE WHEN before IS NULL OR after IS NULL THEN [] ELSE [1] END | CREATE (before)-[:NEXT]->(after))
  WITH memory, memory.turn_scope AS turn_scope, memory.position AS position
  CALL (memory) {
    MATCH (memory)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
    DETACH DELETE passage
  }
  CALL (id) {
    MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: id})
    USING INDEX version:MemoryVersion(workspace_id, memory_id)
    DETACH DELETE version
  }
  CALL (id) {
    MATCH (job:Job {workspace_id: $workspace_id, subject_id: id})
    USING INDEX job:Job(workspace_id, subject_id)
    DETACH DELETE job
  }
  CALL (id) {
    CALL (id) {
      MATCH (change:AutomaticChange {workspace_id: $workspace_id, subject_id: id})
      USING INDEX change:AutomaticChange(workspace_id, subject_id)
      RETURN change
    UNION
      MATCH (change:AutomaticChange {workspace_id: $workspace_id, cause_id: id})
      USING INDEX change:AutomaticChange(workspace_id, cause_id)
      RETURN change
    }
    DETACH DELETE change
  }
  CALL (memory) {
    WITH memory
    WHERE memory.turn_scope IS NOT NULL
    MATCH (memory)-[:FROM]->(message:Message {workspace_id: $workspace_id})
    WHERE NOT EXISTS {
      MATCH (message)<-[:FROM]-(other:Memory {workspace_id: $workspace_id})
      WHERE other.id <> memory.id AND other.turn_scope IS NOT NULL
    }
    OPTIONAL MATCH (earlier:Message {workspace_id: $workspace_id})-[:NEXT]->(message)
    OPTIONAL MATCH (message)-[:NEXT]->(later:Message {workspace_id: $workspace_id})
    FOREACH (_ IN CASE WHEN earlier IS NULL OR later IS NULL THEN [] ELSE [1] END | CREATE (earlier)-[:NEXT]->(later))
    DETACH DELETE message
  }
  DETACH DELETE memory
  MERGE (tombstone:Tombstone {workspace_id: $workspace_id, id: id})
  SET tombstone.deleted_at = $now
  RETURN turn_scope, position
}
RETURN id, turn_scope, position
