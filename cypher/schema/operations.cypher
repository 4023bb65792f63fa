// name: operations
// mode: schema
// why: the version of the store; webhooks; their deliveries by age
CYPHER 25
CREATE CONSTRAINT schema_version_unique IF NOT EXISTS FOR (n:SchemaVersion) REQUIRE n.name IS UNIQUE
;
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
;
CYPHER 25
CREATE INDEX webhook_delivery_created IF NOT EXISTS FOR (n:EventWebhookDelivery) ON (n.created_at)
