// name: list_webhook_workspaces
// mode: read
// returns: many
// unscoped: every process records the events of all workspaces with a webhook
// column: workspace_id string
// allow: NodeByLabelScan — workspaces have few webhooks, most have none
CYPHER 25
MATCH (webhook:EventWebhook)
RETURN DISTINCT webhook.workspace_id AS workspace_id
