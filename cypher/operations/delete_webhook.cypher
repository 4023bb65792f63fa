// name: delete_webhook
// mode: write
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
CYPHER 25
MATCH (webhook:EventWebhook {workspace_id: $workspace_id, id: $id})
WITH webhook, webhook.id AS id
DELETE webhook
RETURN id
