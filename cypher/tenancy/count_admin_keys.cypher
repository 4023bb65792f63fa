// name: count_admin_keys
// mode: read
// returns: one
// unscoped: the start asks whether anybody can administer this deployment
// column: count integer
// allow: NodeByLabelScan — asked once at start; keys are few
CYPHER 25
MATCH (key:ApiKey)
WHERE 'admin' IN key.scopes AND key.revoked_at IS NULL
RETURN count(key) AS count
