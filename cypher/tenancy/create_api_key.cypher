// name: create_api_key
// mode: write
// returns: one
// param: workspace_id string
// param: id string
// param: default_id string — set for the first key of a workspace: memories saved without a key are listed under it
// param: hash string — SHA-256 of the secret, which is not stored
// param: prefix string — first characters, so that people can distinguish keys
// param: name string
// param: scopes list<string>
// param: expires_at datetime?
// param: user_id string? — user whose memory the key is limited to; null: all users
// param: agent_id string? — which agent's alone
// param: requests_per_minute integer? — null: the deployment's default
// param: now datetime
// column: key map
CYPHER 25
WITH CASE WHEN EXISTS { (:ApiKey {workspace_id: $workspace_id}) } THEN $id ELSE $default_id END AS id
CREATE (key:ApiKey {workspace_id: $workspace_id, id: id, hash: $hash, prefix: $prefix, name: $name, scopes: $scopes,
                    created_at: $now})
WITH key
OPTIONAL MATCH (workspace:Workspace {id: $workspace_id})
FOREACH (opened IN CASE WHEN workspace IS NULL THEN [] ELSE [workspace] END | CREATE (key)-[:KEY_OF]->(opened))
SET key.user_id = $user_id, key.agent_id = $agent_id, key.expires_at = $expires_at, key.requests_per_minute = $requests_per_minute
RETURN key {
  // include: api_key_fields
} AS key
