// name: list_webhook_workspaces
// mode: read
// returns: many
// unscoped: every process notes the events of all workspaces that have a webhook
// column: workspace_id string
// allow: NodeByLabelScan — a workspace has few webhooks, and most have none
CYPHER 25
MATCH (webhook:EventWebhook)
RETURN DISTINCT webhook.workspace_id AS workspace_id
