// name: create_webhook
// mode: write
// returns: optional
// param: workspace_id string
// param: properties map — id, url, events, description, secret, created_at
// param: most integer — how many a workspace may have
// column: webhook map? — null where the workspace has as many as it may
// column: is_full boolean
// why: no row where there is no such workspace; its lock is held from before its webhooks are counted, so that many at
//      once do not all find room
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
