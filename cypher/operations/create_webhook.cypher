// name: create_webhook
// mode: write
// returns: optional
// param: workspace_id string
// param: properties map — id, url, events, description, secret, created_at
// param: most integer — maximum per workspace
// column: webhook map? — null if the workspace has reached its maximum
// column: is_full boolean
// why: locks the workspace before counting its webhooks, so that concurrent calls cannot exceed the limit; returns no
//   row if it does not exist
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
WHERE workspace['deleted_at'] IS NULL
OPTIONAL MATCH (other:EventWebhook {workspace_id: $workspace_id})
WITH workspace, count(other) >= $most AS is_full
FOREACH (_ IN CASE WHEN is_full THEN [] ELSE [1] END |
  CREATE (webhook:EventWebhook {workspace_id: $workspace_id})
  SET webhook += $properties)
WITH is_full
OPTIONAL MATCH (webhook:EventWebhook {workspace_id: $workspace_id, id: $properties.id})
RETURN webhook {.id, .workspace_id, .url, .events, .description, .created_at} AS webhook, is_full
