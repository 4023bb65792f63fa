// name: delete_probe_remains
// mode: write
// returns: none
// param: workspace_id string — the readiness probe's own
// param: id string — of the memory of a round trip that is over
// param: before datetime — older memories are left by processes that were killed in the middle of theirs
// why: deleting a memory leaves a tombstone, which tells callers of repeated deletes; nobody asks that of a probe
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id})
  WHERE memory.id = $id OR memory.created_at < $before
  DETACH DELETE memory
}
CALL () {
  MATCH (tombstone:Tombstone {workspace_id: $workspace_id})
  DELETE tombstone
}
FINISH
