// name: find_workspace_key
// mode: read
// returns: optional
// param: workspace_id string
// param: id string
// column: id string
// why: a key that was revoked still owns what it saved, so it can be named
CYPHER 25
MATCH (key:ApiKey {workspace_id: $workspace_id, id: $id})
RETURN key.id AS id
