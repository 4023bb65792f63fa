// name: settle_webhook_delivery
// mode: write
// returns: none
// param: workspace_id string
// param: id string
// param: properties map — of its webhook
// param: is_delivered boolean
// why: deletes a sent delivery immediately, so that a retried batch does not send it twice
CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id, id: $id})
MATCH (webhook:EventWebhook {workspace_id: $workspace_id, id: delivery.webhook_id})
SET webhook += $properties
WITH delivery
WHERE $is_delivered
DELETE delivery
