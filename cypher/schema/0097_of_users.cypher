// name: 0097_of_users
// mode: schema
// why: what a user has is found, to be counted or erased, without reading what all others of the workspace have
CYPHER 25
CREATE INDEX message_user IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX message_author IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.author_id)
;
CYPHER 25
CREATE INDEX passage_user IF NOT EXISTS FOR (n:Passage) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX episode_user IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX conversation_summary_user IF NOT EXISTS FOR (n:ConversationSummary) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX distillation_user IF NOT EXISTS FOR (n:Distillation) ON (n.workspace_id, n.user_id)
