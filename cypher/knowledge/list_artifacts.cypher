// name: list_artifacts
// mode: read
// returns: many
// param: workspace_id string
// param: kind string?
// param: session_id string?
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: artifact map
// why: reads the index on (workspace_id, created_at), newest first; id breaks ties
CYPHER 25
MATCH (artifact:Artifact {workspace_id: $workspace_id})
WHERE artifact.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR artifact.created_at < $after_created OR artifact.id < $after_id)
  AND ($kind IS NULL OR artifact.kind = $kind)
  AND ($session_id IS NULL OR artifact.session_id = $session_id)
WITH artifact
ORDER BY artifact.workspace_id DESC, artifact.created_at DESC, artifact.id DESC
LIMIT $limit
RETURN artifact {
  // include: artifact_fields
} AS artifact
