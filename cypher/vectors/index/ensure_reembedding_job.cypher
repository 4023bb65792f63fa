// name: ensure_reembedding_job
// mode: write
// returns: none
// param: workspace_id string — the deployment's own, which callers cannot name
// param: again boolean — run once more after the run under way
// param: now datetime
// param: revive_at datetime — time at which a failed job is retried
// why: one job for the whole deployment, whose lease says which worker fills the new slot
CYPHER 25
MERGE (job:Job {workspace_id: $workspace_id, kind: 'REEMBED', subject_id: 'vectors'})
  ON CREATE SET job.due_at = $now,
                // include: new_job
  ON MATCH SET job.revision = job.revision + CASE WHEN $again THEN 1 ELSE 0 END,
               job.attempts = CASE job.state WHEN 'FAILED' THEN 0 ELSE job.attempts END,
               job.waits = CASE job.state WHEN 'FAILED' THEN null ELSE job.waits END,
               job.due_at = CASE job.state WHEN 'FAILED' THEN $revive_at ELSE job.due_at END,
               job.state = CASE job.state WHEN 'FAILED' THEN 'PENDING' ELSE job.state END
