// name: count_stored
// mode: read
// returns: one
// unscoped: counts the whole store, so the numbers reveal nothing about one workspace
// param: kinds list<string> — of jobs
// column: memories integer — including soft-deleted ones
// column: waiting list<map> — {kind, jobs}, for each kind; excludes parked jobs
// why: the store keeps a count of nodes per label, so this takes constant time
CYPHER 25
CALL () {
  MATCH (memory:Memory)
  RETURN count(memory) AS memories
}
CALL () {
  UNWIND $kinds AS kind
  CALL (kind) {
    MATCH (job:Job {kind: kind})
    WHERE job.due_at IS NOT NULL
    RETURN count(job) AS jobs
  }
  RETURN collect({kind: kind, jobs: jobs}) AS waiting
}
RETURN memories, waiting
