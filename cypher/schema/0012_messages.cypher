// name: 0012_messages
// mode: schema
// why: the id of a message is its conversation's own, since chats number theirs from one; it is looked up by it alone as well
CYPHER 25
DROP CONSTRAINT message_id_unique IF EXISTS
;
CYPHER 25
CREATE CONSTRAINT message_conversation_unique IF NOT EXISTS FOR (n:Message) REQUIRE (n.workspace_id, n.conversation_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX message_id IF NOT EXISTS FOR (n:Message) ON (n.workspace_id, n.id)
