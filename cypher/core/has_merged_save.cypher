// name: has_merged_save
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: subject_id string
// param: version integer — of the memory's text
// column: has_one boolean — whether a caller's save is still part of the memory, with that text or a later one
CYPHER 25
RETURN EXISTS {
  MATCH (change:AutomaticChange {workspace_id: $workspace_id, subject_id: $subject_id})
  USING INDEX change:AutomaticChange(workspace_id, subject_id)
  WHERE change.kind = 'MERGED' AND change.job IS NULL AND change.undone_at IS NULL AND change.version >= $version
    // include: in_scope of change
} AS has_one
