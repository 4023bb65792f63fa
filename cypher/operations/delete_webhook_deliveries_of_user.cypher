// name: delete_webhook_deliveries_of_user
// mode: write
// returns: none
// param: workspace_id string
// param: user_id string
// why: a waiting delivery names a user whose memories are being erased; its job goes too, and a running job skips
//   missing deliveries
CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id})
WHERE $user_id IN delivery.user_ids
OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, kind: 'WEBHOOK', subject_id: delivery.id})
WHERE job.state <> 'RUNNING'
DELETE delivery, job
