// name: find_api_key
// mode: read
// returns: optional
// unscoped: the workspace is unknown until the key's hash is found
// param: hash string — SHA-256 of the secret
// param: now datetime
// column: id string
// column: name string
// column: workspace_id string
// column: scopes list<string>
// column: user_id string?
// column: agent_id string?
// column: settings string? — of its workspace, as JSON
// column: expires_at datetime? — of the secret; the previous secret of a rotation expires with its grace period
// column: requests_per_minute integer?
CYPHER 25
MATCH (key:ApiKey)
WHERE key.hash = $hash OR key.previous_hash = $hash
WITH key, CASE WHEN key.hash <> $hash THEN key.previous_until END AS grace_until
WHERE key.revoked_at IS NULL AND (grace_until IS NULL OR grace_until > $now)
MATCH (workspace:Workspace {id: key.workspace_id})
WHERE workspace.deleted_at IS NULL
RETURN key.id AS id, key.name AS name, key.workspace_id AS workspace_id, key.scopes AS scopes,
       key.user_id AS user_id, key.agent_id AS agent_id, workspace.settings AS settings,
       CASE WHEN grace_until < coalesce(key.expires_at, grace_until + duration('P1D')) THEN grace_until
            ELSE key.expires_at END AS expires_at,
       key.requests_per_minute AS requests_per_minute
