// name: get_episodes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// column: episode map
CYPHER 25
UNWIND $ids AS id
MATCH (episode:Searchable {id: id, workspace_id: $workspace_id})
WHERE episode:Episode AND NOT episode.is_deleted
  // include: in_scope of episode
RETURN episode {
  // include: episode_fields
} AS episode
