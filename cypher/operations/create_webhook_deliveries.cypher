// name: create_webhook_deliveries
// mode: write
// returns: many
// param: workspace_id string
// param: events list<map> — {type, occurred_at, data as JSON, user_ids as list<string>}
// param: webhook_id string? — only to this webhook, regardless of its subscriptions
// param: now datetime
// column: id string
CYPHER 25
UNWIND $events AS event
MATCH (webhook:EventWebhook {workspace_id: $workspace_id})
WHERE CASE WHEN $webhook_id IS NULL THEN event.type IN webhook.events ELSE webhook.id = $webhook_id END
CREATE (delivery:EventWebhookDelivery {workspace_id: $workspace_id, id: 'evt_' + randomUUID()})
SET delivery.webhook_id = webhook.id, delivery.type = event.type, delivery.occurred_at = event.occurred_at,
    delivery.data = event.data, delivery.user_ids = event.user_ids, delivery.created_at = $now
RETURN delivery.id AS id
