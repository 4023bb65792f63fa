// name: ensure_mirroring_job
// mode: write
// returns: none
// param: workspace_id string — the deployment's own, which callers cannot name
// param: again boolean — run once more after the run under way
// param: now datetime
// why: one job for the whole deployment, whose lease says which worker fills the store
CYPHER 25
MERGE (job:Job {workspace_id: $workspace_id, kind: 'MIRROR_ALL', subject_id: 'vectors'})
  ON CREATE SET job.due_at = $now,
                // include: new_job
  ON MATCH SET job.revision = job.revision + CASE WHEN $again THEN 1 ELSE 0 END
