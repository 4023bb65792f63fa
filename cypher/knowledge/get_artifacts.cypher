// name: get_artifacts
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: artifact map
CYPHER 25
UNWIND $ids AS id
MATCH (artifact:Artifact {workspace_id: $workspace_id, id: id})
USING INDEX artifact:Artifact(workspace_id, id)
RETURN artifact {
  // include: artifact_fields
} AS artifact
