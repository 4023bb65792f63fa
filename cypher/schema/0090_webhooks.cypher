// name: 0090_webhooks
// mode: schema
// why: where a workspace's events are delivered to, and what is not delivered yet
CYPHER 25
CREATE CONSTRAINT webhook_unique IF NOT EXISTS FOR (n:EventWebhook) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX webhook_workspace IF NOT EXISTS FOR (n:EventWebhook) ON (n.workspace_id)
;
CYPHER 25
CREATE CONSTRAINT webhook_delivery_unique IF NOT EXISTS
FOR (n:EventWebhookDelivery) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX webhook_delivery_webhook IF NOT EXISTS FOR (n:EventWebhookDelivery) ON (n.workspace_id, n.webhook_id)
;
CYPHER 25
CREATE INDEX webhook_delivery_workspace IF NOT EXISTS FOR (n:EventWebhookDelivery) ON (n.workspace_id)
