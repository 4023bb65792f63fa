// name: update_artifact
// mode: write
// returns: one
// param: workspace_id string
// param: id string
// param: properties map
// column: artifact map
CYPHER 25
MATCH (artifact:Artifact {workspace_id: $workspace_id, id: $id})
SET artifact += $properties
RETURN artifact {
  // include: artifact_fields
} AS artifact
