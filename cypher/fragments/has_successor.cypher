// Whether a live memory, whoever's, that has begun to hold took the place of one.
EXISTS {
  MATCH (memory)-[:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
  WHERE successor.active AND coalesce(successor.expires_at > $now, true) AND coalesce(successor.t_valid <= $now, true)
}
