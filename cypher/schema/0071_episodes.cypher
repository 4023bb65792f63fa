// name: 0071_episodes
// mode: schema
// why: the episodes of a workspace, the latest of them, and those of one conversation
CYPHER 25
CREATE INDEX episode_created IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX episode_conversation IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id, n.conversation_id)
;
CYPHER 25
CREATE INDEX episode_workspace IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id)
