// name: delete_deliveries_of_webhook
// mode: write
// returns: one
// param: workspace_id string
// param: webhook_id string
// param: limit integer — maximum removed in one transaction
// column: deleted integer — below the limit if nothing is left
// why: deletes their jobs as well; a running job finds no delivery and ends
CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id, webhook_id: $webhook_id})
WITH delivery LIMIT $limit
OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, kind: 'WEBHOOK', subject_id: delivery.id})
WHERE job.state <> 'RUNNING'
DELETE delivery, job
RETURN count(*) AS deleted
