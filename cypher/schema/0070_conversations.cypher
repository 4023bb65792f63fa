// name: 0070_conversations
// mode: schema
// why: the order of a conversation's messages, what a message that came without an id is known by, and the latest conversations
CYPHER 25
CREATE INDEX message_position IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.conversation_id, n.position)
;
CYPHER 25
CREATE INDEX message_content_hash IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.conversation_id, n.content_hash)
;
CYPHER 25
CREATE INDEX conversation_user IF NOT EXISTS FOR (n:Conversation) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE INDEX conversation_updated IF NOT EXISTS FOR (n:Conversation) ON (n.workspace_id, n.updated_at)
