// name: 0089_settings
// mode: schema
// why: one value of each setting, for the deployment or a workspace
CYPHER 25
CREATE CONSTRAINT setting_unique IF NOT EXISTS FOR (n:Setting) REQUIRE (n.workspace_id, n.key) IS UNIQUE
;
CYPHER 25
CREATE INDEX setting_workspace IF NOT EXISTS FOR (n:Setting) ON (n.workspace_id)
