// name: create_audit_entry
// mode: write
// returns: none
// unscoped: audit entries belong to the deployment, because they outlive their workspaces and keys
// param: id string
// param: action string
// param: actor_key_id string? — key that acted; null if the service itself did
// param: about string — workspace of the action or its target; 'deployment' if there is none
// param: subject_id string? — target of the action, if there is exactly one
// param: count integer — number of targets
// param: at datetime
// why: stores ids only, without edges or user text, so that the entry survives deletions
CYPHER 25
CREATE (entry:AuditEntry {id: $id, action: $action, about: $about, count: $count, at: $at})
SET entry.actor_key_id = $actor_key_id, entry.subject_id = $subject_id
