// Whether a live, already valid memory of any owner supersedes the memory by an edge that no slot created.
EXISTS {
  MATCH (memory)-[link:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
  WHERE link.by IS NULL
    AND successor.active AND coalesce(successor.expires_at > $now, true) AND coalesce(successor.t_valid <= $now, true)
}
