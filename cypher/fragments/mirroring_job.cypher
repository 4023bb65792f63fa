// Asks that a memory be mirrored; a job that ended while this waited for its lock is made again.
MERGE (job:Job {workspace_id: row.workspace_id, kind: 'MIRROR', subject_id: row.id})
  ON CREATE SET job.due_at = $now,
                // include: new_job
  ON MATCH SET
               // include: job_again
WITH row, job['revision'] IS NULL AS has_gone
WHERE has_gone
MERGE (job:Job {workspace_id: row.workspace_id, kind: 'MIRROR', subject_id: row.id})
  ON CREATE SET job.due_at = $now,
                // include: new_job
