// name: delete_webhook_deliveries_of_user
// mode: write
// returns: none
// param: workspace_id string
// param: user_id string
// why: what was not delivered yet names a user whose memories are erased; a job that finds its delivery gone passes it over
CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id})
WHERE $user_id IN delivery.user_ids
DELETE delivery
