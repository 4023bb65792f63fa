// name: lock_automatic_change
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// column: change map — as it is under the lock
// why: the lock prevents two undos of one change
CYPHER 25
MATCH (change:AutomaticChange {workspace_id: $workspace_id, id: $id})
WHERE true
  // include: in_scope of change
// include: lock of change
WITH change
WHERE change['workspace_id'] = $workspace_id
RETURN change {
  // include: automatic_change_fields
} AS change
