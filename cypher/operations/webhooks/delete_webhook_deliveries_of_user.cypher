// name: delete_webhook_deliveries_of_user
// mode: write
// returns: none
// param: workspace_id string
// param: user_id string
// why: what was not delivered yet names a user whose memories are erased; its job goes with it, and one that runs passes
//   over what it finds gone
CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id})
WHERE $user_id IN delivery.user_ids
OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, kind: 'WEBHOOK', subject_id: delivery.id})
WHERE job.state <> 'RUNNING'
DELETE delivery, job
