// name: delete_traces
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string> — of memories and conversations that are erased
// why: ids may reveal the user, because callers choose them; entries of finished steps stay in the audit
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (tombstone:Tombstone {workspace_id: $workspace_id, id: id})
  USING INDEX tombstone:Tombstone(workspace_id, id)
  DELETE tombstone
}
CALL () {
  UNWIND $ids AS id
  MATCH (change:AutomaticChange {workspace_id: $workspace_id, subject_id: id})
  USING INDEX change:AutomaticChange(workspace_id, subject_id)
  DETACH DELETE change
}
CALL () {
  MATCH (run:PromptRun {workspace_id: $workspace_id})
  WHERE any(id IN run.node_ids WHERE id IN $ids)
  SET run.node_ids = [id IN run.node_ids WHERE NOT id IN $ids]
}
