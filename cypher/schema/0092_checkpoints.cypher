// name: 0092_checkpoints
// mode: schema
// why: one checkpoint of a thread, a namespace and an id, and one write of a task and a position; both are read by their
//   thread, the latest first, and a thread by whose it is
CYPHER 25
CREATE CONSTRAINT checkpoint_thread_unique IF NOT EXISTS FOR (n:AgentCheckpointThread) REQUIRE (n.workspace_id, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX checkpoint_thread_workspace IF NOT EXISTS FOR (n:AgentCheckpointThread) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX checkpoint_thread_user IF NOT EXISTS FOR (n:AgentCheckpointThread) ON (n.workspace_id, n.user_id)
;
CYPHER 25
CREATE CONSTRAINT checkpoint_unique IF NOT EXISTS FOR (n:AgentCheckpoint) REQUIRE (n.workspace_id, n.thread_id, n.namespace, n.id) IS UNIQUE
;
CYPHER 25
CREATE INDEX checkpoint_workspace IF NOT EXISTS FOR (n:AgentCheckpoint) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX checkpoint_latest IF NOT EXISTS FOR (n:AgentCheckpoint) ON (n.workspace_id, n.id)
;
CYPHER 25
CREATE INDEX checkpoint_of_thread IF NOT EXISTS FOR (n:AgentCheckpoint) ON (n.workspace_id, n.thread_id, n.id)
;
CYPHER 25
CREATE CONSTRAINT checkpoint_write_unique IF NOT EXISTS FOR (n:AgentCheckpointWrite) REQUIRE (n.workspace_id, n.thread_id, n.namespace, n.checkpoint_id, n.task_id, n.position) IS UNIQUE
;
CYPHER 25
CREATE INDEX checkpoint_write_workspace IF NOT EXISTS FOR (n:AgentCheckpointWrite) ON (n.workspace_id)
;
CYPHER 25
CREATE INDEX checkpoint_write_of_checkpoint IF NOT EXISTS FOR (n:AgentCheckpointWrite) ON (n.workspace_id, n.thread_id, n.checkpoint_id)
