// name: delete_probe_remains
// mode: write
// returns: none
// param: workspace_id string — the probe's own
// param: ids list<string> — memories of finished round trips
// param: before datetime — older memories are leftovers of killed processes
// why: a deleted memory leaves a tombstone for callers that repeat the deletion, which nobody does for a probe
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id})
  WHERE memory.id IN $ids OR memory.created_at < $before
  CALL (memory) {
    MATCH (job:Job {workspace_id: $workspace_id, subject_id: memory.id})
    DETACH DELETE job
  }
  DETACH DELETE memory
}
CALL () {
  MATCH (tombstone:Tombstone {workspace_id: $workspace_id})
  DELETE tombstone
}
FINISH
