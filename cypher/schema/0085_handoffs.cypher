// name: 0085_handoffs
// mode: schema
// why: one handoff summary of a conversation at most, found by its conversation or its id
CYPHER 25
CREATE CONSTRAINT conversation_summary_unique IF NOT EXISTS FOR (n:ConversationSummary) REQUIRE (n.workspace_id, n.conversation_id) IS UNIQUE
;
CYPHER 25
CREATE INDEX conversation_summary_id IF NOT EXISTS FOR (n:ConversationSummary) ON (n.workspace_id, n.id)
;
CYPHER 25
CREATE INDEX conversation_summary_workspace IF NOT EXISTS FOR (n:ConversationSummary) ON (n.workspace_id)
