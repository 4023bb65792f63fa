// Queues the mirroring of a memory; creates the job again if it ended while this query waited for its lock.
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
