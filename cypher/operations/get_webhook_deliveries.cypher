// name: get_webhook_deliveries
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// column: id string
// column: webhook_id string
// column: type string
// column: occurred_at datetime
// column: data string — JSON
// column: url string
// column: secret string — for the signature; no surface shows it
CYPHER 25
UNWIND $ids AS id
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id, id: id})
USING INDEX delivery:EventWebhookDelivery(workspace_id, id)
MATCH (webhook:EventWebhook {workspace_id: $workspace_id, id: delivery.webhook_id})
USING INDEX webhook:EventWebhook(workspace_id, id)
RETURN delivery.id AS id, webhook.id AS webhook_id, delivery.type AS type, delivery.occurred_at AS occurred_at,
       delivery.data AS data, webhook.url AS url, webhook.secret AS secret
