// name: conversations
// mode: schema
// why: chats number their messages from one, so a message's id is unique within its conversation; each kind is found
//   by its user, to count or erase it
CYPHER 25
CREATE CONSTRAINT conversation_id_unique IF NOT EXISTS FOR (n:Conversation) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX conversation_workspace IF NOT EXISTS FOR (n:Conversation) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX conversation_user IF NOT EXISTS FOR (n:Conversation) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX conversation_updated IF NOT EXISTS FOR (n:Conversation) ON (n.workspace_id, n.updated_at)
;
CYPHER 25
CREATE CONSTRAINT message_conversation_unique IF NOT EXISTS FOR (n:Message) REQUIRE (n.workspace_id, n.conversation_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX message_id IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.id)
;
CYPHER 25
CREATE INDEX message_workspace IF NOT EXISTS FOR (n:Message) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX message_position IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.conversation_id, n.position)
;
CYPHER 25
CREATE INDEX message_content_hash IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.conversation_id, n.content_hash)
;
CYPHER 25
CREATE INDEX message_user IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX message_author IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.author_id)
;
CYPHER 25
CREATE INDEX episode_created IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id, n.created_at)
;
CYPHER 25
CREATE INDEX episode_conversation IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id, n.conversation_id)
;
CYPHER 25
CREATE INDEX episode_workspace IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX episode_user IF NOT EXISTS FOR (n:Episode) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE CONSTRAINT conversation_summary_unique IF NOT EXISTS FOR (n:ConversationSummary) REQUIRE (n.workspace_id, n.conversation_id) IS UNIQUE
;
CYPHER 25
CREATE INDEX conversation_summary_id IF NOT EXISTS FOR (n:ConversationSummary) ON (n.workspace_id, n.id)
;
CYPHER 25
CREATE INDEX conversation_summary_workspace IF NOT EXISTS FOR (n:ConversationSummary) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX conversation_summary_user IF NOT EXISTS FOR (n:ConversationSummary) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE CONSTRAINT distillation_unique IF NOT EXISTS FOR (n:Distillation) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX distillation_conversation IF NOT EXISTS FOR (n:Distillation) ON (n.workspace_id, n.conversation_id)
;
CYPHER 25
CREATE INDEX distillation_workspace IF NOT EXISTS FOR (n:Distillation) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX distillation_user IF NOT EXISTS FOR (n:Distillation) ON (n.workspace_id, n.user_id)
