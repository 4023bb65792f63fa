// name: enqueue_benchmarks
// mode: write
// returns: one
// unscoped: the nightly pass serves all workspaces; each job names its workspace
// param: days list<map> — {day, since, until}: complete days, which may already be measured
// param: metric string — a metric that every measured day has
// param: now datetime
// column: enqueued integer
// allow: NodeByLabelScan — a deployment has thousands of workspaces at most
// why: there is one job per workspace and day with actions, which one worker of any process claims; skips days that
//   have values
CYPHER 25
MATCH (workspace:Workspace)
WHERE workspace.deleted_at IS NULL
UNWIND $days AS day
WITH workspace, day
WHERE NOT EXISTS { (:AgentBenchmark {workspace_id: workspace.id, metric: $metric, day: day.day}) }
  AND EXISTS {
    MATCH (action:AgentAction {workspace_id: workspace.id})
    WHERE action.occurred_at >= day.since AND action.occurred_at < day.until
  }
MERGE (job:Job {workspace_id: workspace.id, kind: 'BENCHMARK', subject_id: day.day})
  ON CREATE SET job.due_at = $now,
                // include: new_job
RETURN count(job) AS enqueued
