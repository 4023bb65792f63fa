// name: enqueue_mirroring
// mode: write
// returns: none
// unscoped: one batch holds memories of several workspaces; each row is matched with its own
// param: rows list<map> — {workspace_id, id}; what is no memory is passed over
// param: now datetime
// why: everything that is found by meaning is embedded by the same jobs, and only memories are mirrored
CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
MERGE (job:Job {workspace_id: row.workspace_id, kind: 'MIRROR', subject_id: row.id})
  ON CREATE SET job.id = 'job_' + randomUUID(), job.state = 'PENDING', job.revision = 1, job.attempts = 0,
                job.created_at = $now, job.updated_at = $now, job.due_at = $now
  ON MATCH SET job.revision = job.revision + 1, job.updated_at = $now, job.attempts = 0,
               job.due_at = CASE job.state WHEN 'RUNNING' THEN job.due_at ELSE $now END,
               job.state = CASE job.state WHEN 'RUNNING' THEN 'RUNNING' ELSE 'PENDING' END
