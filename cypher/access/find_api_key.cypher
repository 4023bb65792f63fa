// name: find_api_key
// mode: read
// returns: optional
// unscoped: a key's hash is what tells its workspace
// param: hash string — SHA-256 of the secret
// column: id string
// column: name string
// column: workspace_id string
// column: scopes list<string>
// column: expires_at datetime?
CYPHER 25
MATCH (key:ApiKey {hash: $hash})
WHERE key.revoked_at IS NULL
MATCH (workspace:Workspace {id: key.workspace_id})
WHERE workspace.deleted_at IS NULL
RETURN key.id AS id, key.name AS name, key.workspace_id AS workspace_id, key.scopes AS scopes,
       key.expires_at AS expires_at
