// name: list_episodes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string?
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string? — page start: the last row's id
// param: limit integer
// column: episode map
// why: reads the newest first from the index on (workspace_id, created_at); id breaks ties
CYPHER 25
MATCH (episode:Episode {workspace_id: $workspace_id})
WHERE episode.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR episode.created_at < $after_created OR episode.id < $after_id)
  AND ($conversation_id IS NULL OR episode.conversation_id = $conversation_id)
  AND NOT episode.is_deleted
  // include: in_scope of episode
WITH episode
ORDER BY episode.workspace_id DESC, episode.created_at DESC, episode.id DESC
LIMIT $limit
RETURN episode {
  // include: episode_fields
} AS episode
