// name: count_live_memories
// mode: read
// returns: one
// param: workspace_id string
// param: now datetime
// column: count integer
// why: both counts come from indexes and read no node; subtracts expired memories that the sweeper has not reached yet
CYPHER 25
RETURN
  COUNT { MATCH (:Memory {workspace_id: $workspace_id, active: true}) }
  - COUNT {
    MATCH (memory:Memory {workspace_id: $workspace_id, active: true})
    WHERE memory.expires_at <= $now
  } AS count
