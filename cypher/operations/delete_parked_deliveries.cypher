// name: delete_parked_deliveries
// mode: write
// returns: one
// unscoped: parked deliveries are deleted at the same age in all workspaces
// param: before datetime — keeps jobs that failed at this time or later
// param: limit integer — maximum removed in one transaction
// column: deleted integer — below the limit if nothing is left
// why: a delivery parked before a time was also created before it, which the index covers; a delivery
//   without a job is never sent
CYPHER 25
MATCH (delivery:EventWebhookDelivery)
WHERE delivery.created_at < $before
OPTIONAL MATCH (job:Job {workspace_id: delivery.workspace_id, kind: 'WEBHOOK', subject_id: delivery.id})
WITH delivery, job
WHERE job IS NULL OR (job.state = 'FAILED' AND job.updated_at < $before)
LIMIT $limit
DELETE delivery, job
RETURN count(*) AS deleted
