// name: find_workspace_key
// mode: read
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: a revoked key still owns its memories, so it can be named
CYPHER 25
MATCH (key:ApiKey {workspace_id: $workspace_id, id: $id})
RETURN key.id AS id
