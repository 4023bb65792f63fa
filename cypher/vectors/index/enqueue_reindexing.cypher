// name: enqueue_reindexing
// mode: write
// returns: one
// param: workspace_id string
// param: vector_property string — of the slot in use
// param: force boolean — also the memories that have a vector
// param: after_id string
// param: limit integer — memories examined in this transaction
// param: now datetime
// column: enqueued integer
// column: memories integer — number of memories among them
// column: last_id string? — null if there are no more
// why: a vector stays in use until its memory has the new one, so a workspace can be embedded again while it is read
CYPHER 25
CALL () {
  MATCH (node:Searchable {workspace_id: $workspace_id})
  WHERE node.id > $after_id
  RETURN node
  ORDER BY node.workspace_id, node.id
  LIMIT $limit
}
CALL (node) {
  WITH node
  WHERE node.active AND ($force OR node[$vector_property] IS NULL)
  MERGE (job:Job {workspace_id: $workspace_id, kind: 'EMBED', subject_id: node.id})
    ON CREATE SET job.due_at = $now,
                  // include: new_job
    ON MATCH SET
                 // include: job_again
  RETURN count(job) AS queued
}
RETURN sum(queued) AS enqueued, sum(CASE WHEN node:Memory THEN queued ELSE 0 END) AS memories, max(node.id) AS last_id
