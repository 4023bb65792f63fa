// name: create_webhook
// mode: write
// returns: optional
// param: workspace_id string
// param: properties map — id, url, events, description, secret, created_at
// param: most integer — how many a workspace may have
// column: webhook map
// why: no row where the workspace has as many as it may; its lock is held from before they are counted, so that many
//      at once do not all find room
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
// include: lock of workspace
WITH workspace
OPTIONAL MATCH (other:EventWebhook {workspace_id: $workspace_id})
WITH count(other) AS others
WHERE others < $most
CREATE (webhook:EventWebhook {workspace_id: $workspace_id})
SET webhook += $properties
RETURN webhook {.id, .workspace_id, .url, .events, .description, .created_at} AS webhook
