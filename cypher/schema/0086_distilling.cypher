// name: 0086_distilling
// mode: schema
// why: texts that wait to be distilled, by their id and by their conversation
CYPHER 25
CREATE CONSTRAINT distillation_unique IF NOT EXISTS FOR (n:Distillation) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX distillation_conversation IF NOT EXISTS FOR (n:Distillation) ON (n.workspace_id, n.conversation_id)
;
CYPHER 25
CREATE INDEX distillation_workspace IF NOT EXISTS FOR (n:Distillation) ON (n.workspace_id)
