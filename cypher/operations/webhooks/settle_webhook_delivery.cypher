// name: settle_webhook_delivery
// mode: write
// returns: none
// param: workspace_id string
// param: id string
// param: properties map — of its webhook
// param: is_delivered boolean
// why: what was delivered goes at once, so that a batch that is tried again sends it no second time
CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id, id: $id})
MATCH (webhook:EventWebhook {workspace_id: $workspace_id, id: delivery.webhook_id})
SET webhook += $properties
WITH delivery
WHERE $is_delivered
DELETE delivery
