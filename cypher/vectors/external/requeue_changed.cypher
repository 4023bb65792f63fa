// name: requeue_changed
// mode: write
// returns: none
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: rows list<map> — {workspace_id, id, stamp}: mirrored memories; stamp null: removed from the store
// param: vector_property string — property of the vectors in use
// param: now datetime
// why: another worker may have mirrored a newer version during this job, which then wrote the older one over it
CYPHER 25
UNWIND $rows AS row
OPTIONAL MATCH (memory:Memory {workspace_id: row.workspace_id, id: row.id})
WHERE memory.active AND coalesce(memory.expires_at > $now, true) AND memory[$vector_property] IS NOT NULL
  AND EXISTS {
    MATCH (workspace:Workspace {id: row.workspace_id})
    WHERE workspace.deleted_at IS NULL
  }
WITH row, memory.revision + '/' + coalesce(memory.embedded_revision, 0) + '/' + toString(memory.updated_at) AS stamp
WHERE coalesce(stamp, '') <> coalesce(row.stamp, '')
// include: mirroring_job
