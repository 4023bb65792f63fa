// name: count_by_workspace
// mode: read
// returns: many
// unscoped: counts several workspaces in one query: those that the caller may see
// param: workspace_ids list<string>
// param: building_property string? — property that is being filled with another embedder's vectors; null: none
// column: workspace_id string
// column: memories integer
// column: embedded integer
// column: needs_reindex integer — memories that still need a vector, or need a new one
// column: failed integer
// column: pending_jobs integer
// column: failed_jobs integer
// column: recalls integer — since the creation of the workspace, without dry runs
// column: answered_recalls integer — recalls that found something
CYPHER 25
UNWIND $workspace_ids AS workspace_id
CALL (workspace_id) {
  MATCH (memory:Memory {workspace_id: workspace_id})
  WHERE memory.active
  RETURN count(memory) AS memories,
         count(CASE WHEN memory.state IN ['EMBEDDED', 'LINKED'] THEN 1 END) AS embedded,
         count(CASE WHEN memory.state = 'FAILED' THEN 1 END) AS failed,
         count(CASE WHEN $building_property IS NOT NULL AND memory[$building_property] IS NULL THEN 1 END) AS to_build
}
CALL (workspace_id) {
  MATCH (job:Job {workspace_id: workspace_id, kind: 'EMBED'})
  WHERE job.state <> 'FAILED'
  MATCH (memory:Memory {workspace_id: workspace_id, id: job.subject_id})
  USING INDEX memory:Memory(workspace_id, id)
  WHERE memory.active AND memory.state IN ['EMBEDDED', 'LINKED']
  RETURN count(memory) AS queued
}
CALL (workspace_id) {
  MATCH (job:Job {workspace_id: workspace_id})
  RETURN count(CASE WHEN job.state <> 'FAILED' THEN 1 END) AS pending_jobs,
         count(CASE WHEN job.state = 'FAILED' THEN 1 END) AS failed_jobs
}
OPTIONAL MATCH (workspace:Workspace {id: workspace_id})
WITH *, memories - embedded + queued AS to_embed
RETURN workspace_id, memories, embedded, CASE WHEN to_build > to_embed THEN to_build ELSE to_embed END AS needs_reindex, failed, pending_jobs, failed_jobs,
       coalesce(workspace.recall_count, 0) AS recalls, coalesce(workspace.answered_recall_count, 0) AS answered_recalls
