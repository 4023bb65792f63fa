// name: workspace_keys
// mode: read
// returns: many
// param: workspace_id string
// column: workspace node
// column: opened path? — from a key that opens it; a revoked or expired one says so
// why: who may come in
CYPHER 25
MATCH (workspace:Workspace {id: $workspace_id})
OPTIONAL MATCH opened = (:ApiKey {workspace_id: $workspace_id})-[:KEY_OF]->(workspace)
RETURN workspace, opened
LIMIT 200
