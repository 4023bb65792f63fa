// name: list_latest_episodes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: limit integer
// column: episode map
// why: a chat turn waits for this query, so it reads only one conversation's episodes
CYPHER 25
MATCH (episode:Episode {workspace_id: $workspace_id, conversation_id: $conversation_id})
USING INDEX episode:Episode(workspace_id, conversation_id)
WHERE NOT episode.is_deleted
  // include: in_scope of episode
WITH episode
ORDER BY episode.created_at DESC, episode.id DESC
LIMIT $limit
RETURN episode {
  // include: episode_fields
} AS episode
