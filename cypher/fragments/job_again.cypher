job.revision = job.revision + 1, job.updated_at = $now, job.attempts = 0, job.waits = null,
job.due_at = CASE job.state WHEN 'RUNNING' THEN job.due_at ELSE $now END,
job.state = CASE job.state WHEN 'RUNNING' THEN 'RUNNING' ELSE 'PENDING' END
