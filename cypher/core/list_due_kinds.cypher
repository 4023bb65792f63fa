// name: list_due_kinds
// mode: read
// returns: many
// unscoped: workers serve all workspaces
// param: kinds list<string>
// param: now datetime
// column: kind string
// why: claiming jobs of a kind is a write, and most kinds have no due jobs
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  MATCH (job:Job {kind: kind})
  WHERE job.due_at <= $now
  RETURN job
  LIMIT 1
}
RETURN kind
