// name: create_audit_entry
// mode: write
// returns: none
// unscoped: audit entries belong to the deployment, because they outlive their workspaces and keys
// param: id string
// param: action string
// param: actor_key_id string? — the key that acted; null where the service itself did
// param: about string — the workspace it was done in or to; 'deployment' where it is none
// param: subject_id string? — what it was done to, where that is one thing
// param: count integer — to how many things it was done
// param: at datetime
// why: stores ids only, without edges or user text, so that the entry survives deletions
CYPHER 25
CREATE (entry:AuditEntry {id: $id, action: $action, about: $about, count: $count, at: $at})
SET entry.actor_key_id = $actor_key_id, entry.subject_id = $subject_id
