// name: count_admin_keys
// mode: read
// returns: one
// unscoped: the start checks whether the deployment has an administrator's key
// column: count integer
// allow: NodeByLabelScan — runs once at start; there are few keys
CYPHER 25
MATCH (key:ApiKey)
WHERE 'admin' IN key.scopes AND key.revoked_at IS NULL
RETURN count(key) AS count
