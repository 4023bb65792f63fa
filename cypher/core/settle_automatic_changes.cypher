// name: settle_automatic_changes
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string> — changes of any kind
// param: kind string — of the changes that are named by their subjects
// param: subject_ids list<string>
// param: now datetime
// why: a reverted change stays in the list and cannot be undone again
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (change:AutomaticChange {workspace_id: $workspace_id, id: id})
  USING INDEX change:AutomaticChange(workspace_id, id)
  RETURN change
UNION
  UNWIND $subject_ids AS subject_id
  MATCH (change:AutomaticChange {workspace_id: $workspace_id, subject_id: subject_id})
  USING INDEX change:AutomaticChange(workspace_id, subject_id)
  WHERE change.kind = $kind
  RETURN change
}
WITH change
WHERE change.undone_at IS NULL
SET change.undone_at = $now
