// name: lock_artifact
// mode: write
// returns: one
// param: workspace_id string
// param: key string
// param: id string — used if no artifact with that key exists
// param: now datetime
// column: id string
// column: artifact map? — as it is stored; null for one that was just made
// column: revision integer — counts changes of the text
// why: writing updated_at takes the node's lock, so that concurrent calls add an artifact once
CYPHER 25
MERGE (artifact:Artifact {workspace_id: $workspace_id, key: $key})
  ON CREATE SET artifact:Searchable, artifact.id = $id, artifact.created_at = $now, artifact.revision = 0,
                artifact.active = true, artifact.search_kind = 'artifact', artifact.state = 'STORED'
SET artifact.updated_at = $now
RETURN
  artifact.id AS id,
  CASE WHEN artifact.name IS NULL THEN null ELSE artifact {
    // include: artifact_fields
  } END AS artifact,
  artifact.revision AS revision
