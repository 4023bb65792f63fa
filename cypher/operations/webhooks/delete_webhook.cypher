// name: delete_webhook
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: what was not delivered yet goes with it; its jobs find nothing and are done
CYPHER 25
MATCH (webhook:EventWebhook {workspace_id: $workspace_id, id: $id})
WITH webhook, webhook.id AS id
CALL (id) {
  MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id, webhook_id: id})
  OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, kind: 'WEBHOOK', subject_id: delivery.id})
  WHERE job.state <> 'RUNNING'
  DELETE delivery, job
}
DELETE webhook
RETURN id
