// Whether a live memory, whoever's, that has begun to hold took the place of one, as somebody said.
EXISTS {
  MATCH (memory)-[link:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
  WHERE link.by IS NULL
    AND successor.active AND coalesce(successor.expires_at > $now, true) AND coalesce(successor.t_valid <= $now, true)
}
