// name: 0096_deliveries_by_age
// mode: schema
// why: deliveries that were given up long ago are found among those of all workspaces
CYPHER 25
CREATE INDEX webhook_delivery_created IF NOT EXISTS FOR (n:EventWebhookDelivery) ON (n.created_at)
