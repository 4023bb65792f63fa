// name: delete_artifact
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
CYPHER 25
MATCH (artifact:Artifact {workspace_id: $workspace_id, id: $id})
OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, subject_id: $id})
WITH artifact, artifact.id AS id, collect(job) AS jobs
FOREACH (job IN jobs | DETACH DELETE job)
DETACH DELETE artifact
RETURN id
