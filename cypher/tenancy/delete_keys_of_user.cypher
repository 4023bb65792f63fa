// name: delete_keys_of_user
// mode: write
// returns: many
// param: workspace_id string
// param: user_id string
// column: id string
// why: a revoked key would still name its user
CYPHER 25
MATCH (key:ApiKey {workspace_id: $workspace_id})
WHERE key.user_id = $user_id
WITH key, key.id AS id
DETACH DELETE key
RETURN id
