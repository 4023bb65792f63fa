job.id = 'job_' + randomUUID(), job.state = 'PENDING', job.revision = 1, job.attempts = 0,
job.created_at = $now, job.updated_at = $now
