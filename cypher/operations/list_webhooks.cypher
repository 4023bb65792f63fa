// name: list_webhooks
// mode: read
// returns: many
// param: workspace_id string
// column: webhook map — without the secret
CYPHER 25
MATCH (webhook:EventWebhook {workspace_id: $workspace_id})
RETURN webhook {
    .id, .workspace_id, .url, .events, .description, .created_at, .last_delivered_at, .last_failed_at, .last_error
  } AS webhook
ORDER BY webhook.created_at, webhook.id
